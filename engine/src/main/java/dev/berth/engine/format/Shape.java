package dev.berth.engine.format;

/// How values of one type are written.
interface Shape {
  void write(Object value, Output out);

  /// @throws FormatException where the bytes are of no such value
  Object read(Input in) throws FormatException;
}
