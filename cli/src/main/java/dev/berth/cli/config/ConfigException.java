package dev.berth.cli.config;

import java.util.List;

/// The configuration cannot be used. The message has one line for each wrong field.
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1;

  public ConfigException(List<String> wrongs) {
    super(String.join("\n", wrongs));
  }
}
