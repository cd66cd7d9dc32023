package dev.berth.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/// Commands that speak to people let no log speak between.
final class QuietLogging {
  private QuietLogging() {}

  static void log() {
    if (LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME) instanceof Logger root) {
      root.setLevel(Level.OFF);
    }
  }
}
