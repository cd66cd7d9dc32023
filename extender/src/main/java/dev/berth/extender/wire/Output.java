package dev.berth.extender.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.util.Arrays;

/// Bytes of an answer, mostly copied together from pieces that were made before.
final class Output {
  private byte[] bytes;
  private int size;

  Output(int expected) {
    bytes = new byte[Math.max(64, expected)];
  }

  /// A JSON string, quotes included.
  static byte[] quoted(String text) {
    byte[] escaped = JsonStringEncoder.getInstance().quoteAsUTF8(text);
    var quoted = new byte[escaped.length + 2];
    quoted[0] = '"';
    System.arraycopy(escaped, 0, quoted, 1, escaped.length);
    quoted[quoted.length - 1] = '"';
    return quoted;
  }

  /// JSON without anything to escape.
  static byte[] raw(String json) {
    return json.getBytes(US_ASCII);
  }

  Output put(byte[] unit) {
    room(unit.length);
    System.arraycopy(unit, 0, bytes, size, unit.length);
    size += unit.length;
    return this;
  }

  Output put(char c) {
    room(1);
    bytes[size++] = (byte) c;
    return this;
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }

  byte[] bytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
