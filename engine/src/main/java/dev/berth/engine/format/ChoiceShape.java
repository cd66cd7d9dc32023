package dev.berth.engine.format;

import java.util.List;

/// One of the cases of a sealed type: its number, and it.
///
/// @param cases in the order of their names
record ChoiceShape(List<Variant> cases) implements ValueShape {
  /// @param shape of its values
  record Variant(Class<?> type, ValueShape shape) {}

  @Override
  public void write(Object value, ValueOutput out) {
    for (int i = 0; i < cases.size(); i++) {
      if (cases.get(i).type().isInstance(value)) {
        out.count(i);
        cases.get(i).shape().write(value, out);
        return;
      }
    }
    throw new IllegalArgumentException("no case for " + value.getClass().getName());
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    return cases.get(in.index(cases.size())).shape().read(in);
  }
}
