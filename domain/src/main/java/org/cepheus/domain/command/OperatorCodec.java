package org.cepheus.domain.command;

import org.cepheus.domain.OnceKey;
import org.cepheus.domain.ServiceState;
import org.cepheus.domain.ServiceTarget;
import org.cepheus.domain.codec.Bytes;
import org.cepheus.domain.codec.DomainCodec;
import org.cepheus.domain.codec.FieldReader;
import org.cepheus.domain.codec.FieldWriter;

/** The fields of {@link OperatorCommand}s. */
final class OperatorCodec {
    private OperatorCodec() {}

    static FieldWriter write(OperatorCommand command, FieldWriter w) {
        return switch (command) {
            case OperatorCommand.SetState c ->
                    w.number(1, c.target().kind().code())
                            .number(2, c.target().id())
                            .number(3, c.state().code());
            case OperatorCommand.Once c ->
                    w.text(1, c.key().key())
                            .bytes(2, c.key().request().toArray())
                            .bytes(3, CommandCodec.encode(c.command()));
        };
    }

    static OperatorCommand.SetState setState(FieldReader f) {
        return new OperatorCommand.SetState(
                new ServiceTarget(
                        DomainCodec.one(ServiceTarget.Kind.values(), f.integer(1)), f.integer(2)),
                DomainCodec.one(ServiceState.values(), f.integer(3)));
    }

    static OperatorCommand.Once once(FieldReader f) {
        return new OperatorCommand.Once(
                new OnceKey(f.text(1), Bytes.copyOf(f.bytes(2))), CommandCodec.decode(f.bytes(3)));
    }
}
