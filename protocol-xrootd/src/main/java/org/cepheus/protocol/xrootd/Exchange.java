package org.cepheus.protocol.xrootd;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cepheus.domain.Caller;
import org.cepheus.domain.FsError;
import org.cepheus.domain.Ticket;
import org.cepheus.domain.TraceId;
import org.cepheus.domain.port.Audit;
import org.cepheus.protocol.xrootd.wire.ResponseCodec;
import org.cepheus.protocol.xrootd.wire.XrootdResponse;
import org.jspecify.annotations.Nullable;

/**
 * One request from its arrival to its one answer. Everything here runs on the connection's event
 * loop; {@link #whenDone} brings a stage's result there.
 */
final class Exchange {
    /** What we tell the client to wait at most for a late answer. */
    private static final int MAX_LATE_SECONDS = 1800;

    /** How long a client that has tried in vain waits for its next redirect to the leader. */
    private static final long LEADER_PATIENCE_MILLIS = 1_000;

    private static final String OK = "ok";

    private final XrootdConnection connection;
    private final int streamId;
    private final String operation;
    private final long startNanos;
    private Caller caller;
    private String object = "";
    private OptionalInt leadersAnswer = OptionalInt.empty();
    private Told told = Told.FORBIDDEN;
    private boolean answered;
    private boolean late;
    private boolean triedInVain;
    private @Nullable ScheduledFuture<?> announcement;
    private @Nullable Substream stream;

    Exchange(XrootdConnection connection, int streamId, String operation, Caller caller) {
        this.connection = connection;
        this.streamId = streamId;
        this.operation = operation;
        this.caller = caller;
        this.startNanos = System.nanoTime();
    }

    int streamId() {
        return streamId;
    }

    Caller caller() {
        return caller;
    }

    XrootdConnection connection() {
        return connection;
    }

    /** The client wants the answer on another stream of its session. */
    void answerOn(Substream other) {
        stream = other;
        other.begun();
    }

    /** Where the answer goes: on the stream it is wanted on, unless that is gone. */
    private XrootdConnection out() {
        return stream != null && stream.connection().isAlive() ? stream.connection() : connection;
    }

    /** The leader has refused this client already: its answer, should we have to send it there. */
    void refusedElsewhere(OptionalInt code) {
        leadersAnswer = code;
    }

    /** What the audit is told of a request, {@link Audit#isToldOf}. */
    enum Told {
        /** Only looks: what a rule forbids. */
        FORBIDDEN,
        /** Opens, or changes what is open: every refusal. */
        REFUSED,
        /** Decides something for the first time: every refusal, and that it was done. */
        ALL
    }

    /** Names what is asked for, and what of it the audit is told. */
    void concerns(String what, Told of) {
        object = what;
        told = of;
    }

    /** The same where only the ticket knows on whose behalf it is. */
    void concerns(Ticket ticket, Told of) {
        caller = ticket.caller();
        concerns(ticket.path().value(), of);
    }

    /** The client has just failed to reach a server to which it was sent. */
    void triedInVain() {
        triedInVain = true;
    }

    /**
     * Calls {@code done} with the result on the event loop, at once if it is there already; a
     * failure is answered as the error it is.
     */
    <T> void whenDone(Supplier<CompletionStage<T>> call, Consumer<T> done) {
        whenDone(call, done, this::fail);
    }

    <T> void whenDone(
            Supplier<CompletionStage<T>> call, Consumer<T> done, Consumer<FsError> failed) {
        connection.whenDone(call, done, failed);
    }

    /**
     * If the answer is not there in {@link ServerContext#lateAfter}, tells the client to expect it
     * later.
     */
    void mayBeLate() {
        announcement =
                connection
                        .eventLoop()
                        .schedule(
                                this::announceLate,
                                connection.context().lateAfter().toMillis(),
                                TimeUnit.MILLISECONDS);
    }

    private void announceLate() {
        if (!answered && connection.isAlive()) {
            out().send(streamId, new XrootdResponse.WaitForResponse(MAX_LATE_SECONDS));
            late = true;
        }
    }

    void ok() {
        ok(begin(0));
    }

    /** Where the body begins in a buffer from {@link #begin}. */
    int bodyStart() {
        return ResponseCodec.HEADER_BYTES;
    }

    /** A buffer for the body of an answer, with room before it for the header. */
    ByteBuf begin(int bodyBytes) {
        ByteBuf out =
                connection.channel().alloc().directBuffer(ResponseCodec.HEADER_BYTES + bodyBytes);
        return out.writeZero(ResponseCodec.HEADER_BYTES);
    }

    /** Answers with a body from {@link #begin}; takes over the buffer. */
    void ok(ByteBuf withRoom) {
        send(XrootdResponse.OK, withRoom);
        finish(OK);
        tellAllowed();
    }

    private void tellAllowed() {
        if (told == Told.ALL) {
            connection.context().audit().allowed(caller, operation, object);
        }
    }

    /** Answers with a text and the NUL that ends it, as C++ servers do for most texts. */
    void text(String text) {
        bareText(text + "\0");
    }

    /** Answers with a text alone: some clients parse every byte of it. */
    void bareText(String text) {
        ByteBuf body = begin(text.length());
        body.writeCharSequence(text, StandardCharsets.UTF_8);
        ok(body);
    }

    /** A part of the answer; the same as {@link #ok} but more follow. Tells when it has left. */
    ChannelFuture okSoFar(ByteBuf withRoom) {
        setHeader(XrootdResponse.OK_SO_FAR, withRoom);
        return out().writeData(withRoom);
    }

    private void setHeader(int status, ByteBuf withRoom) {
        int length = withRoom.writerIndex() - ResponseCodec.HEADER_BYTES;
        ResponseCodec.setHeader(withRoom, 0, streamId, status, length);
    }

    private void send(int status, ByteBuf withRoom) {
        setHeader(status, withRoom);
        if (late) {
            out().sendLate(withRoom);
        } else {
            out().write(withRoom);
        }
    }

    /** The whole answer was written by the caller itself. */
    void answeredInBulk() {
        finish(OK);
    }

    void answer(XrootdResponse response) {
        reply(response, OK);
    }

    /** Sends the client to another server; the opaque text may be empty. */
    void redirect(String host, int port, String opaque) {
        reply(new XrootdResponse.Redirect(port, XrootdErrors.hostText(host), opaque), "redirect");
        tellAllowed();
    }

    void await(int seconds, String why) {
        reply(new XrootdResponse.Wait(seconds, why), "wait");
    }

    /** Answers the error; waits and redirects are what they are. */
    void fail(FsError error) {
        if (error instanceof FsError.NotLeader && leadersAnswer.isPresent()) {
            fail(
                    leadersAnswer.getAsInt(),
                    "%s %s was refused by the leader; its reason is told to those who ask it directly (%s)"
                            .formatted(operation, object, error.message()));
            return;
        }
        if (triedInVain && error instanceof FsError.NotLeader(var leader) && leader.isPresent()) {
            // The leader has died and nobody here knows yet. Sent there again at once, and again,
            // the client would use up the redirects it allows within milliseconds.
            triedInVain = false;
            connection
                    .eventLoop()
                    .schedule(() -> fail(error), LEADER_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        TraceId trace = caller.trace();
        reply(
                late ? XrootdErrors.failed(error, trace) : XrootdErrors.answer(error, trace),
                error.getClass().getSimpleName());
        if (Audit.isToldOf(error, told != Told.FORBIDDEN)) {
            connection.context().audit().refused(caller, operation, object, error);
        }
        if (error instanceof FsError.Internal) {
            connection.logInternal(operation, caller, error);
        }
    }

    /** An error of the protocol itself, that no {@link FsError} stands for. */
    void fail(int code, String message) {
        reply(
                new XrootdResponse.Failed(code, XrootdErrors.text(message, caller.trace())),
                "error" + code);
    }

    private void reply(XrootdResponse response, String result) {
        out().send(streamId, late ? new XrootdResponse.Late(streamId, response) : response);
        finish(result);
    }

    private void finish(String result) {
        if (answered) {
            throw new IllegalStateException(operation + " was answered twice");
        }
        answered = true;
        if (announcement != null) {
            announcement.cancel(false);
        }
        if (stream != null) {
            stream.answered();
        }
        connection.answered();
        connection
                .context()
                .metrics()
                .operation("xrootd", operation, result, System.nanoTime() - startNanos);
    }
}
