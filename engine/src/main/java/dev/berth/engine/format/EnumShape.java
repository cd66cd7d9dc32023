package dev.berth.engine.format;

import java.util.List;

/// A constant, by its number.
record EnumShape(List<Object> constants) implements Shape {
  @Override
  public void write(Object value, Output out) {
    out.count(((Enum<?>) value).ordinal());
  }

  @Override
  public Object read(Input in) throws FormatException {
    return constants.get(in.index(constants.size()));
  }
}
