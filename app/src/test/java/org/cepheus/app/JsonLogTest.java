package org.cepheus.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class JsonLogTest {
    private final LoggerContext context = new LoggerContext();
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();
    private final JsonLogEncoder encoder = new JsonLogEncoder();

    @BeforeEach
    void listen() {
        said.setContext(context);
        said.start();
        var logger = context.getLogger("org.cepheus.fst.Upload");
        logger.setLevel(Level.INFO);
        logger.addAppender(said);
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void aLineIsOneObjectWithTheTraceAmongItsMembers() {
        context.getLogger("org.cepheus.fst.Upload")
                .atWarn()
                .addKeyValue("trace", "00000000000000ab")
                .log("aborting the upload of {}", "/a \"b\"\nc");

        String line = line();
        JsonNode object = new JsonMapper().readTree(line);

        assertThat(line).endsWith("}\n").hasLineCount(1);
        assertThat(object.propertyNames())
                .containsExactly("time", "level", "logger", "thread", "message", "trace");
        assertThat(Instant.parse(object.path("time").asString())).isBefore(Instant.now());
        assertThat(object.path("level").asString()).isEqualTo("WARN");
        assertThat(object.path("logger").asString()).isEqualTo("org.cepheus.fst.Upload");
        assertThat(object.path("message").asString())
                .isEqualTo("aborting the upload of /a \"b\"\nc");
        assertThat(object.path("trace").asString()).isEqualTo("00000000000000ab");
    }

    @Test
    void anExceptionIsInItsLineWithItsCauses() {
        var cause = new IllegalStateException("the disk is gone");
        context.getLogger("org.cepheus.fst.Upload")
                .error("it failed", new IllegalArgumentException("no such volume", cause));

        String line = line();

        assertThat(line).hasLineCount(1);
        assertThat(new JsonMapper().readTree(line).path("exception").asString())
                .startsWith("java.lang.IllegalArgumentException: no such volume")
                .contains("at org.cepheus.app.JsonLogTest", "the disk is gone");
    }

    private String line() {
        assertThat(said.list).hasSize(1);
        return new String(
                encoder.encode(List.copyOf(said.list).getFirst()), StandardCharsets.UTF_8);
    }
}
