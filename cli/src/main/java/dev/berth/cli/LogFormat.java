package dev.berth.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.berth.cli.config.LogConfig;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How log lines are written: `log.format` of the configuration.
final class LogFormat {
  private LogFormat() {}

  /// From now on. Where `-Dlogback.configurationFile` brought another appender, that one stays.
  static void use(LogConfig.Format format) {
    if (format == LogConfig.Format.JSON
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      json(context);
    }
  }

  static void json(LoggerContext context) {
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    if (root.getAppender("stderr") instanceof ConsoleAppender<ILoggingEvent> appender) {
      appender.setEncoder(encoder(context));
    }
  }

  /// One object a line.
  private static Encoder<ILoggingEvent> encoder(LoggerContext context) {
    var json = new JsonEncoder();
    json.setContext(context);
    json.setWithSequenceNumber(false);
    json.setWithNanoseconds(false);
    json.setWithContext(false);
    json.setWithMDC(false); // nothing of Berth uses it
    var encoder = new WithoutControls(json);
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  /// JSON allows them in texts, and a terminal that shows the line would obey them.
  private static final class WithoutControls extends EncoderBase<ILoggingEvent> {
    private static final Pattern CONTROL = Pattern.compile("[\\x7f-\\x9f\\u2028\\u2029]");

    private final JsonEncoder json;

    WithoutControls(JsonEncoder json) {
      this.json = json;
    }

    @Override
    public void start() {
      json.start();
      super.start();
    }

    @Override
    public void stop() {
      super.stop();
      json.stop();
    }

    @Override
    public byte[] headerBytes() {
      return json.headerBytes();
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      var line = new String(json.encode(event), StandardCharsets.UTF_8);
      return CONTROL
          .matcher(line)
          .replaceAll(it -> String.format(Locale.ROOT, "\\\\u%04x", (int) it.group().charAt(0)))
          .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] footerBytes() {
      return json.footerBytes();
    }
  }
}
