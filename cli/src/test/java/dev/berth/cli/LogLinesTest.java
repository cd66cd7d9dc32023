package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/// Log lines as they ship: what tenants write stands in values, and ends no line.
class LogLinesTest {
  @Test
  void aValueEndsNoLineAndMovesNoCursor() throws Exception {
    var context = new LoggerContext();
    var configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    var logger = context.getLogger("dev.berth.Some");
    var event =
        new LoggingEvent(
            "caller", logger, Level.WARN, "said\n2026-01-01T00:00:00.000 ERROR", null, null);
    event.addKeyValuePair(
        new KeyValuePair("pod", "a\r\nb\u2028c\u0085d\u001b[2Je\u0000f\tg ünïcode"));
    var root = context.getLogger("ROOT");
    var appender = (ConsoleAppender<ILoggingEvent>) root.getAppender("stderr");
    var line = new String(appender.getEncoder().encode(event), StandardCharsets.UTF_8);
    context.stop();
    assertThat(line).endsWith("\n").contains("WARN", "Some: said?2026", "ünïcode");
    assertThat(line.strip().chars())
        .as(line)
        .noneMatch(each -> each < ' ' || each >= 0x7f && each < 0xa0 || each == 0x2028);
  }
}
