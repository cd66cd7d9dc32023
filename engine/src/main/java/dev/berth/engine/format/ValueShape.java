package dev.berth.engine.format;

/// How values of one type are written.
interface ValueShape {
  void write(Object value, ValueOutput out);

  /// @throws FormatException where the bytes are of no such value
  Object read(ValueInput in) throws FormatException;
}
