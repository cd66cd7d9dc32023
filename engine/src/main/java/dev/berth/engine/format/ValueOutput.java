package dev.berth.engine.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/// Bytes that are being written, and what was written before and need not be written again.
final class ValueOutput {
  private static final int LOW = 0x7f;
  private static final int MORE = 0x80;

  private final KnownValues objects = new KnownValues(); // where it goes on
  private final HashMap<Object, Integer> alike = new HashMap<>(); // elsewhere, looked up only
  private final HashMap<String, Integer> texts = new HashMap<>(); // looked up only
  private final IdentityHashMap<Object, List<?>> lists = new IdentityHashMap<>(); // by place
  private final boolean goesOn;
  private final UnaryOperator<String> rewritten;
  private byte[] bytes = new byte[1 << 10];
  private int size;

  /// @param goesOn whether what is written later may point to objects and lists that were written
  ///   before. Otherwise equal values give equal bytes, whichever objects they are made of
  /// @param rewritten what is written in the place of a text
  ValueOutput(boolean goesOn, UnaryOperator<String> rewritten) {
    this.goesOn = goesOn;
    this.rewritten = rewritten;
  }

  /// What was written since the last call.
  byte[] take() {
    var taken = Arrays.copyOf(bytes, size);
    size = 0;
    return taken;
  }

  private void octet(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
  }

  /// A number without sign, seven bits a byte, the lowest first.
  void count(long value) {
    long left = value;
    while ((left & ~LOW) != 0) {
      octet((int) (left & LOW) | MORE);
      left >>>= 7;
    }
    octet((int) left);
  }

  /// Small numbers of either sign are short.
  void number(long value) {
    count(value << 1 ^ value >> 63);
  }

  void real(double value) {
    long bits = Double.doubleToLongBits(value);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      octet((int) (bits >>> shift));
    }
  }

  /// 0 and the text, or the number of a text that was written before.
  void text(String original) {
    var text = rewritten.apply(original);
    var known = texts.putIfAbsent(text, texts.size() + 1);
    if (known != null) {
      count(known);
      return;
    }
    count(0);
    var encoded = text.getBytes(StandardCharsets.UTF_8);
    count(encoded.length);
    for (byte each : encoded) {
      octet(each);
    }
  }

  /// Writes that a value is known, or that it follows.
  ///
  /// @return whether it is to follow, and then to be remembered
  boolean begins(Object value) {
    int known = goesOn ? objects.reference(value) : alike.getOrDefault(value, 0);
    count(known);
    return known == 0;
  }

  /// A value was written whole.
  void remember(Object value) {
    if (goesOn) {
      objects.add(value);
    } else {
      alike.put(value, alike.size() + 1);
    }
  }

  /// How many objects have a number, those that are gone too.
  int numbered() {
    return objects.numbers();
  }

  /// The list that was written last in a place.
  List<?> last(Object place) {
    return lists.getOrDefault(place, Collections.emptyList());
  }

  void remember(Object place, List<?> list) {
    if (goesOn) {
      lists.put(place, list);
    }
  }
}
