package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/// Log lines as they ship: what tenants write stands in values, and ends no line.
class LogLinesTest {
  @Test
  void aValueEndsNoLineAndMovesNoCursor() throws Exception {
    var line =
        written(
            "said\n2026-01-01T00:00:00.000 ERROR",
            Optional.empty(),
            new KeyValuePair("pod", "a\r\nb\u2028c\u0085d\u001b[2Je\u0000f\tg ünïcode"));
    assertThat(line).endsWith("\n").contains("WARN", "Some: said?2026", "ünïcode");
    assertThat(line.strip().chars())
        .as(line)
        .noneMatch(each -> each < ' ' || each >= 0x7f && each < 0xa0 || each == 0x2028);
  }

  /// Parsers and HTTP clients repeat in their messages what they were given.
  @Test
  void theMessageOfAnExceptionBeginsNoLine() throws Exception {
    var forged = "\n2026-01-01T00:00:00.000 INFO  BindVerb: bound\r\u001b[2J";
    var cause = new IllegalArgumentException("no number: x" + forged);
    cause.addSuppressed(new IllegalStateException("closed" + forged));
    var line = written("failed", Optional.of(new IllegalStateException("label" + forged, cause)));
    assertThat(line.lines().toList())
        .as(line)
        .hasSizeGreaterThan(5)
        .first(STRING)
        .endsWith("WARN  Some: failed ");
    assertThat(line.lines().skip(2))
        .allMatch(each -> each.matches("\t+(at|\\.\\.\\.|Suppressed:) .*|\t*Caused by: .*"));
    assertThat(line)
        .contains("IllegalStateException: label?2026-01-01T00:00:00.000 INFO  BindVerb: bound??[2J")
        .containsOnlyOnce("Caused by: java.lang.IllegalArgumentException: no number: x?2026")
        .doesNotContain("\u001b");
  }

  @Test
  void asJsonALineIsOneObjectWhateverTenantsWrite() throws Exception {
    String forged =
        "a\r\n{\"level\":\"ERROR\"}\u2028c\u0085d\u001b[2Je\u0000f\tg \"h\\ ünïcode\u009b2J";
    var line =
        written(
            LogFormat::json,
            "evicted",
            Optional.of(new IllegalStateException("label" + forged)),
            new KeyValuePair("pod", forged),
            new KeyValuePair("grace", Duration.ofSeconds(2)));
    assertThat(line).endsWith("\n");
    assertThat(line.strip().chars())
        .as(line)
        .noneMatch(each -> each < ' ' || each >= 0x7f && each < 0xa0 || each == 0x2028);
    var object = new ObjectMapper().readTree(line);
    assertThat(object.get("level").asText()).isEqualTo("WARN");
    assertThat(object.get("loggerName").asText()).isEqualTo("dev.berth.Some");
    assertThat(object.get("message").asText()).isEqualTo("evicted");
    assertThat(object.get("timestamp").isIntegralNumber()).as("epoch, in ms").isTrue();
    assertThat(object.at("/kvpList/0/pod").asText()).isEqualTo(forged);
    assertThat(object.at("/kvpList/1/grace").asText()).isEqualTo("PT2S");
    assertThat(object.at("/throwable/className").asText()).contains("IllegalStateException");
    assertThat(object.at("/throwable/message").asText()).isEqualTo("label" + forged);
  }

  private static String written(String message, Optional<Throwable> thrown, KeyValuePair... values)
      throws Exception {
    return written(_ -> {}, message, thrown, values);
  }

  private static String written(
      Consumer<LoggerContext> format,
      String message,
      Optional<Throwable> thrown,
      KeyValuePair... values)
      throws Exception {
    var context = new LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    format.accept(context);
    var logger = context.getLogger("dev.berth.Some");
    var event = new LoggingEvent("caller", logger, Level.WARN, message, thrown.orElse(null), null);
    for (var value : values) {
      event.addKeyValuePair(value);
    }
    var root = context.getLogger("ROOT");
    var appender = (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
    var line = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    context.stop();
    return line;
  }
}
