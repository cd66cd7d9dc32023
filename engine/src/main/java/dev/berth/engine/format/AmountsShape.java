package dev.berth.engine.format;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.util.TreeMap;

/// Amounts by resource.
record AmountsShape() implements ValueShape {
  @Override
  public void write(Object value, ValueOutput out) {
    if (out.begins(value)) {
      var amounts = (Amounts) value;
      out.count(amounts.size());
      for (int i = 0; i < amounts.size(); i++) {
        out.text(amounts.resource(i).name());
        out.number(amounts.value(i));
      }
      out.remember(value);
    }
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    long reference = in.reference();
    if (reference != 0) {
      return in.known(reference);
    }
    int size = in.size();
    var amounts = new TreeMap<Resource, Long>();
    for (int i = 0; i < size; i++) {
      amounts.put(new Resource(in.text()), in.number());
    }
    var read = Amounts.of(amounts);
    if (read.size() != size) {
      throw new FormatException("an amount stands twice, or is 0");
    }
    in.remember(read);
    return read;
  }
}
