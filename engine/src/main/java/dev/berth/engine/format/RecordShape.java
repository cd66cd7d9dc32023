package dev.berth.engine.format;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// A record: its components in order. One that was written before is written as its number, but for
/// the smallest: a name is no longer than that.
final class RecordShape implements ValueShape {
  private final Constructor<?> constructor;
  private final List<Method> accessors;
  private final boolean isSmall;

  /// Made when first needed: a type may contain itself.
  private final Supplier<List<ValueShape>> components;

  /// @param isSmall whether it is written anew each time
  RecordShape(
      Constructor<?> constructor,
      List<Method> accessors,
      boolean isSmall,
      Supplier<List<ValueShape>> components) {
    this.constructor = constructor;
    this.accessors = accessors;
    this.isSmall = isSmall;
    this.components = components;
  }

  @Override
  public void write(Object value, ValueOutput out) {
    if (isSmall || out.begins(value)) {
      var shapes = components.get();
      for (int i = 0; i < accessors.size(); i++) {
        shapes.get(i).write(component(value, accessors.get(i)), out);
      }
      if (!isSmall) {
        out.remember(value);
      }
    }
  }

  private static Object component(Object value, Method accessor) {
    try {
      return Objects.requireNonNull(accessor.invoke(value), accessor::toString);
    } catch (IllegalAccessException | InvocationTargetException ours) {
      throw new IllegalStateException(accessor + " cannot be asked", ours);
    }
  }

  @Override
  public Object read(ValueInput in) throws FormatException {
    long reference = isSmall ? 0 : in.reference();
    if (reference != 0) {
      return known(in.known(reference));
    }
    var shapes = components.get();
    var values = new Object[shapes.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = shapes.get(i).read(in);
    }
    var read = make(values);
    if (!isSmall) {
      in.remember(read);
    }
    return read;
  }

  private Object known(Object value) throws FormatException {
    if (!constructor.getDeclaringClass().isInstance(value)) {
      throw new FormatException(
          "a " + value.getClass().getName() + " stands where a " + type() + " belongs");
    }
    return value;
  }

  private Object make(Object[] values) throws FormatException {
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException refused) {
      throw new FormatException("there is no such " + type(), refused);
    } catch (IllegalArgumentException mixedUp) {
      throw new FormatException("a component of " + type() + " is of another type", mixedUp);
    } catch (ReflectiveOperationException ours) {
      throw new IllegalStateException(type() + " cannot be made", ours);
    }
  }

  private String type() {
    return constructor.getDeclaringClass().getName();
  }
}
