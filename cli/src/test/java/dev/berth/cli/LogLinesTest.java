package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
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

  private static String written(String message, Optional<Throwable> thrown, KeyValuePair... values)
      throws Exception {
    var context = new LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
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
