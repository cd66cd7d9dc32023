package dev.berth.engine.format;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.UnaryOperator;

/// How values of a type are written: a record or a sealed type, and all that it is made of.
///
/// Numbers are as long as they need be, texts and objects that come again are written as a number.
/// The format has no names in it: the reader must have the same [#fingerprint].
///
/// @param <T> the type
public final class ValueFormat<T> {
  private static final int DIGITS = 16;

  private final Class<T> type;
  private final ValueShape shape;
  private final String fingerprint;

  /// @throws IllegalArgumentException where the type contains what is neither a record, an enum, a
  ///   sealed type, a number, a text, a time nor a collection of these
  public ValueFormat(Class<T> type) {
    this.type = type;
    var shapes = new Shapes();
    this.shape = shapes.of(type);
    this.fingerprint = digest(String.join("\n", shapes.definitions()));
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var bytes = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /// Differs where any type that a value may contain has other components, constants or cases.
  public String fingerprint() {
    return fingerprint;
  }

  /// Equal values give equal bytes, and others do not.
  public byte[] bytes(T value) {
    var out = new ValueOutput(false, UnaryOperator.identity());
    shape.write(value, out);
    return out.take();
  }

  /// Reads what [#bytes] made.
  public T read(byte[] bytes) throws FormatException {
    return new Reader().read(bytes);
  }

  /// Writes one value after the other. What was written before is not written again, as long as it
  /// is the same object: the reader gets the same object, too.
  ///
  /// Of one thread at a time.
  public final class Writer {
    private final ValueOutput out;

    public Writer() {
      this(UnaryOperator.identity());
    }

    /// @param rewritten what is written in the place of a text; the same for the same text
    public Writer(UnaryOperator<String> rewritten) {
      out = new ValueOutput(true, rewritten);
    }

    public byte[] write(T value) {
      shape.write(value, out);
      return out.take();
    }

    /// How many objects were written. The reader keeps them all in memory; the writer keeps those
    /// that something else keeps, too, and the last of each list.
    public int written() {
      return out.numbered();
    }
  }

  /// Reads what one [Writer] wrote, in the same order.
  public final class Reader {
    private final ValueInput in = new ValueInput();

    /// After a failure nothing more can be read.
    public T read(byte[] bytes) throws FormatException {
      in.begin(bytes);
      var value = shape.read(in);
      in.end();
      return type.cast(value);
    }
  }
}
