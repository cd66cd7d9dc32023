package dev.berth.cli.config;

/// How log lines are written.
public record LogConfig(Format format) {
  /// How a line is written.
  public enum Format {
    /// For people.
    TEXT,
    /// One object a line, for collectors.
    JSON
  }

  static LogConfig read(Section section) {
    return new LogConfig(
        section.word(
            "format",
            "`text` for people, `json` for collectors: one object a line. The level is the"
                + " environment variable BERTH_LOG: `INFO`, or `DEBUG`, which tells each decision.",
            Format.TEXT,
            Format.class));
  }
}
