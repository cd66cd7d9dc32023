package dev.berth.engine.format;

import java.util.List;

/// A constant, by its number.
record EnumShape(List<Object> constants) implements ValueShape {
  @Override
  public void write(Object value, ValueOutput out) {
    out.count(((Enum<?>) value).ordinal());
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    return constants.get(in.index(constants.size()));
  }
}
