package dev.berth.controllers.kube;

import dev.berth.controllers.crd.Printable;
import java.nio.charset.StandardCharsets;

/// Texts that an API server takes only up to some length, or that should be no longer.
final class TextLimits {
  private TextLimits() {}

  /// A message of which tenants write parts ([Printable]).
  ///
  /// @param longest in bytes, as the server counts
  static String message(String text, int longest) {
    return cut(Printable.line(text), longest);
  }

  /// @param longest in bytes, as the server counts
  static String cut(String text, int longest) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= longest) {
      return text;
    }
    int end = longest;
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) { // not inside a character
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
