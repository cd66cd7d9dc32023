package dev.berth.engine.injection;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A version of the GPU Operator. Its own label may be absent (OLM); then it is unknown.
///
/// @param year 0 = unknown
public record OperatorVersion(int year, int month) {
  public static final OperatorVersion UNKNOWN = new OperatorVersion(0, 0);

  private static final Pattern VERSION = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(\\D.*)?");

  public static OperatorVersion of(String text) {
    Matcher parts = VERSION.matcher(text);
    return parts.matches()
        ? new OperatorVersion(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)))
        : UNKNOWN;
  }

  public boolean isKnown() {
    return year > 0;
  }

  /// False for an unknown one.
  public boolean isFrom(int otherYear, int otherMonth) {
    return year > otherYear || year == otherYear && month >= otherMonth;
  }
}
