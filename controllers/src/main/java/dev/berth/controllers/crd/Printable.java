package dev.berth.controllers.crd;

import java.util.Locale;

/// Messages that people read in a terminal, and of which tenants write parts.
public final class Printable {
  private Printable() {}

  /// The text as one line. What steers a terminal, or turns the direction of a text, stands there
  /// as its number in hexadecimal.
  public static String line(String text) {
    if (text.codePoints().allMatch(Printable::isPrintable)) {
      return text;
    }
    var line = new StringBuilder(text.length());
    text.codePoints()
        .forEach(each -> {
          if (isPrintable(each)) {
            line.appendCodePoint(each);
          } else if (each == '\n' || each == '\r' || each == '\t') {
            line.append(' ');
          } else {
            line.append(String.format(Locale.ROOT, "\\u%04x", each));
          }
        });
    return line.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
