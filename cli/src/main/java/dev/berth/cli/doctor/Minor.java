package dev.berth.cli.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Major and minor version of a component.
record Minor(int major, int minor) {
  private static final Pattern VERSION = Pattern.compile("(?:.*//)?v?(\\d{1,4})\\.(\\d{1,4}).*");

  static final Minor UNKNOWN = new Minor(0, 0);

  /// Of `v1.36.3`, `containerd://2.2.2`; else unknown.
  static Minor of(String text) {
    Matcher parts = VERSION.matcher(text);
    return parts.matches()
        ? new Minor(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
        : UNKNOWN;
  }

  boolean isKnown() {
    return major > 0;
  }

  boolean isFrom(int otherMajor, int otherMinor) {
    return major > otherMajor || major == otherMajor && minor >= otherMinor;
  }

  @Override
  public String toString() {
    return major + "." + minor;
  }
}
