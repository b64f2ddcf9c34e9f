package org.cepheus.app;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Where log lines go, written out instead of configured in XML, which would be parsed at each
 * start. A line about a request ends with {@code trace=} and the id that its client was told, or
 * has it as a member where lines are JSON. Until a command says otherwise warnings go to standard
 * error and nothing else anywhere.
 */
public final class ServerLog extends ContextAwareBase implements Configurator {
    private static final String LINE =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %thread %logger{24} %msg%replace( %kvp{NONE}){' $', ''}%n";
    private static final String TERMINAL_LINE =
            "cepheus: %level %msg%replace( %kvp{NONE}){' $', ''}%n";
    private static final String FILE_BYTES = "16MB";
    private static final int OLDER_FILES = 4;
    private static final int QUEUED_LINES = 8_192;

    /** Libraries that talk more than an operator wants to read. */
    private static final List<String> QUIET =
            List.of("org.apache.ratis", "io.netty", "org.eclipse.jetty");

    /** The state before {@link #toFile} or {@link #toTerminal}; called by Logback itself. */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        silenceLibraries(context);
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(terminal(context, text(TERMINAL_LINE), Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** From now on everything goes to the file, and warnings to standard error too. */
    static void toFile(Path file, LogFormat format) {
        LoggerContext context = emptied();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(queued(context, rotated(context, file, format)));
        root.addAppender(terminal(context, text(TERMINAL_LINE), Level.WARN));
    }

    /** From now on everything goes to standard error, for whoever collects it (systemd). */
    static void toTerminal(LogFormat format) {
        LoggerContext context = emptied();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
                .addAppender(queued(context, terminal(context, lines(format), Level.INFO)));
    }

    /** Writes what is queued; nothing is logged after it. */
    static void close() {
        ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
    }

    private static LoggerContext emptied() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.setLevel(Level.INFO);
        return context;
    }

    private static void silenceLibraries(LoggerContext context) {
        QUIET.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        // gRPC inside Ratis logs to the JDK's logger, which prints to standard error.
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.SEVERE);
    }

    private static Appender<ILoggingEvent> terminal(
            LoggerContext context, Encoder<ILoggingEvent> encoder, Level least) {
        var terminal = new ConsoleAppender<ILoggingEvent>();
        terminal.setName("terminal");
        terminal.setTarget("System.err");
        var filter = new ThresholdFilter();
        filter.setLevel(least.toString());
        filter.start();
        terminal.addFilter(filter);
        return started(context, terminal, encoder);
    }

    private static Appender<ILoggingEvent> rotated(
            LoggerContext context, Path file, LogFormat format) {
        var rotated = new RollingFileAppender<ILoggingEvent>();
        rotated.setName("file");
        rotated.setFile(file.toString());
        var window = new FixedWindowRollingPolicy();
        window.setContext(context);
        window.setParent(rotated);
        window.setFileNamePattern(file + ".%i");
        window.setMinIndex(1);
        window.setMaxIndex(OLDER_FILES);
        window.start();
        rotated.setRollingPolicy(window);
        var size = new SizeBasedTriggeringPolicy<ILoggingEvent>();
        size.setContext(context);
        size.setMaxFileSize(FileSize.valueOf(FILE_BYTES));
        size.start();
        rotated.setTriggeringPolicy(size);
        return started(context, rotated, lines(format));
    }

    private static Encoder<ILoggingEvent> lines(LogFormat format) {
        return switch (format) {
            case TEXT -> text(LINE);
            case JSON -> new JsonLogEncoder();
        };
    }

    private static Encoder<ILoggingEvent> text(String pattern) {
        var encoder = new PatternLayoutEncoder();
        encoder.setPattern(pattern);
        return encoder;
    }

    private static Appender<ILoggingEvent> started(
            LoggerContext context,
            OutputStreamAppender<ILoggingEvent> appender,
            Encoder<ILoggingEvent> encoder) {
        encoder.setContext(context);
        encoder.start();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }

    /** An event loop that logs must not wait for a disk; when the queue is full lines are lost. */
    private static Appender<ILoggingEvent> queued(
            LoggerContext context, Appender<ILoggingEvent> behind) {
        var queued = new AsyncAppender();
        queued.setContext(context);
        queued.setName("queue");
        queued.setQueueSize(QUEUED_LINES);
        queued.setNeverBlock(true);
        queued.addAppender(behind);
        queued.start();
        return queued;
    }
}
