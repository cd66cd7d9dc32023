package dev.berth.engine.model;

/// Something a user wrote that is invalid: which field, its value, what it must be and the way out.
/// Told as `<field> is "<value>" on <object>, but <rule>`.
///
/// @param object where the value stands, `Job default/train`; empty = the object that was read
public record Problem(String field, String value, String rule, String object) {
  private static final int LONGEST_VALUE = 80;

  public Problem {
    if (value.length() > LONGEST_VALUE) {
      value = value.substring(0, LONGEST_VALUE) + "…";
    }
    value = printable(value);
  }

  /// Of the object that was read.
  public Problem(String field, String value, String rule) {
    this(field, value, rule, "");
  }

  private static String printable(String value) {
    var out = new StringBuilder(value.length());
    value
        .codePoints()
        .forEach(c -> {
          if (Character.isISOControl(c)) {
            out.append(' ');
          } else {
            out.appendCodePoint(c);
          }
        });
    return out.toString();
  }

  /// The sentence for one object, `pod default/train-0`.
  ///
  /// @param read the object that was read, where the problem names no other
  public String on(String read) {
    String where = object.isEmpty() ? read : object;
    return field + " is \"" + value + "\" on " + where + ", but " + rule;
  }
}
