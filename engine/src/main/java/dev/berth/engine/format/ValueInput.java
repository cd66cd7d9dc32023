package dev.berth.engine.format;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/// Bytes that are being read, and what was read before: the counterpart of [ValueOutput].
final class ValueInput {
  private static final int LOW = 0x7f;
  private static final int MORE = 0x80;
  private static final int MOST_SHIFT = 63;

  private final ArrayList<Object> values = new ArrayList<>();
  private final ArrayList<String> texts = new ArrayList<>();
  private final IdentityHashMap<Object, List<?>> lists = new IdentityHashMap<>(); // by place
  private byte[] bytes = new byte[0];
  private int at;

  void begin(byte[] next) {
    bytes = next;
    at = 0;
  }

  void end() throws FormatException {
    if (at != bytes.length) {
      throw new FormatException((bytes.length - at) + " bytes follow the end of a value");
    }
  }

  private int octet() throws FormatException {
    if (at == bytes.length) {
      throw new FormatException("a value ends in the middle");
    }
    return bytes[at++] & 0xff;
  }

  long count() throws FormatException {
    long value = 0;
    for (int shift = 0; shift <= MOST_SHIFT; shift += 7) {
      int next = octet();
      value |= (long) (next & LOW) << shift;
      if ((next & MORE) == 0) {
        return value;
      }
    }
    throw new FormatException("a number does not end");
  }

  long number() throws FormatException {
    long value = count();
    return value >>> 1 ^ -(value & 1);
  }

  /// A number of things of which each takes a byte at least.
  int size() throws FormatException {
    return size(count());
  }

  int size(long told) throws FormatException {
    if (told < 0 || told > bytes.length - at) {
      throw new FormatException("there are said to be " + told + " values in fewer bytes");
    }
    return (int) told;
  }

  /// @param less the number is below this
  int index(int less) throws FormatException {
    return index(count(), less);
  }

  static int index(long told, int less) throws FormatException {
    if (told < 0 || told >= less) {
      throw new FormatException("there is no value " + told + " of " + less);
    }
    return (int) told;
  }

  double real() throws FormatException {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bits |= (long) octet() << shift;
    }
    return Double.longBitsToDouble(bits);
  }

  String text() throws FormatException {
    long known = count();
    if (known != 0) {
      return texts.get(index(known - 1, texts.size()));
    }
    int length = size();
    try {
      var text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length)).toString();
      at += length;
      texts.add(text);
      return text;
    } catch (CharacterCodingException notText) {
      throw new FormatException("a text is not UTF-8", notText);
    }
  }

  /// 0 = a value follows, and is to be remembered; otherwise one more than the number of a known
  /// one.
  long reference() throws FormatException {
    return count();
  }

  Object known(long reference) throws FormatException {
    return values.get(index(reference - 1, values.size()));
  }

  void remember(Object value) {
    values.add(value);
  }

  List<?> last(Object place) {
    return lists.getOrDefault(place, Collections.emptyList());
  }

  void remember(Object place, List<?> list) {
    lists.put(place, list);
  }
}
