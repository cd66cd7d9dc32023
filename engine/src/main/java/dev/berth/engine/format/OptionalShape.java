package dev.berth.engine.format;

import java.util.Optional;

/// 0 = empty, 1 = a value follows.
record OptionalShape(ValueShape element) implements ValueShape {
  @Override
  public void write(Object value, ValueOutput out) {
    var optional = (Optional<?>) value;
    out.count(optional.isPresent() ? 1 : 0);
    optional.ifPresent(each -> element.write(each, out));
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    return in.index(2) == 0 ? Optional.empty() : Optional.of(element.read(in));
  }
}
