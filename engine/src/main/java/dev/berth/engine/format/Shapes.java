package dev.berth.engine.format;

import dev.berth.engine.model.Amounts;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The shapes of types, as the types themselves declare them: components of records in their order,
/// constants of enums in theirs, cases of sealed types by name.
final class Shapes {
  private static final int SMALL = 2; // components that are plain

  private static final HashMap<Class<?>, ValueShape> PLAIN = new HashMap<>(); // looked up only

  static {
    PLAIN.put(boolean.class, PlainShape.FLAG);
    PLAIN.put(Boolean.class, PlainShape.FLAG);
    PLAIN.put(int.class, PlainShape.INT);
    PLAIN.put(Integer.class, PlainShape.INT);
    PLAIN.put(long.class, PlainShape.LONG);
    PLAIN.put(Long.class, PlainShape.LONG);
    PLAIN.put(double.class, PlainShape.REAL);
    PLAIN.put(Double.class, PlainShape.REAL);
    PLAIN.put(String.class, PlainShape.TEXT);
    PLAIN.put(Instant.class, PlainShape.TIME);
    PLAIN.put(Duration.class, PlainShape.DURATION);
    PLAIN.put(Amounts.class, new AmountsShape());
  }

  private final HashMap<Class<?>, ValueShape> known = new HashMap<>(); // looked up only
  private final TreeMap<String, String> definitions = new TreeMap<>();

  /// All types that were asked for, and what they are made of: a line each.
  List<String> definitions() {
    return definitions.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .toList();
  }

  ValueShape of(Type type) {
    return switch (type) {
      case Class<?> simple -> of(simple);
      case ParameterizedType parameterized -> of(parameterized);
      default -> throw unknown(type);
    };
  }

  private ValueShape of(ParameterizedType type) {
    var arguments = Arrays.stream(type.getActualTypeArguments()).map(this::of).toList();
    var raw = type.getRawType();
    if (raw == List.class) {
      return new ListShape(new Object(), arguments.getFirst());
    }
    if (raw == Optional.class) {
      return new OptionalShape(arguments.getFirst());
    }
    if (raw == SortedSet.class || raw == Set.class) {
      return new SetShape(arguments.getFirst(), raw == SortedSet.class);
    }
    if (raw == SortedMap.class || raw == Map.class) {
      return new MapShape(arguments.getFirst(), arguments.getLast(), raw == SortedMap.class);
    }
    throw unknown(type);
  }

  private ValueShape of(Class<?> type) {
    var made = Optional.ofNullable(known.get(type));
    if (made.isPresent()) {
      return made.get();
    }
    var shape = plain(type).orElseGet(() -> composed(type));
    known.put(type, shape);
    return shape;
  }

  private static Optional<ValueShape> plain(Class<?> type) {
    return Optional.ofNullable(PLAIN.get(type));
  }

  private ValueShape composed(Class<?> type) {
    if (type.isEnum()) {
      List<Object> constants = List.of(Objects.requireNonNull(type.getEnumConstants()));
      definitions.put(type.getName(), "enum " + constants);
      return new EnumShape(constants);
    }
    if (type.isRecord()) {
      return record(type);
    }
    if (type.isSealed()) {
      var cases = new ArrayList<Class<?>>();
      addCases(type, cases);
      cases.sort(Comparator.comparing(Class::getName));
      definitions.put(type.getName(), "one of " + cases.stream().map(Class::getName).toList());
      return new ChoiceShape(
          cases.stream().map(each -> new ChoiceShape.Variant(each, of(each))).toList());
    }
    throw unknown(type);
  }

  private static void addCases(Class<?> type, List<Class<?>> into) {
    for (Class<?> each : Objects.requireNonNull(type.getPermittedSubclasses())) {
      if (each.isSealed() && !each.isRecord() && !each.isEnum()) {
        addCases(each, into);
      } else {
        into.add(each);
      }
    }
  }

  private RecordShape record(Class<?> type) {
    var components = Objects.requireNonNull(type.getRecordComponents());
    var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var accessors = new ArrayList<Method>();
    for (RecordComponent component : components) {
      var accessor = component.getAccessor();
      accessor.setAccessible(true);
      accessors.add(accessor);
    }
    definitions.put(
        type.getName(),
        "record "
            + Arrays.stream(components)
                .map(each -> each.getName() + " " + each.getGenericType().getTypeName())
                .toList());
    boolean isSmall =
        types.length > 0
            && types.length <= SMALL
            && Arrays.stream(types).allMatch(each -> plain(each).isPresent());
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      var shape = new RecordShape(constructor, accessors, isSmall, lazily(components));
      known.put(type, shape); // before its components: they may contain it
      for (RecordComponent component : components) {
        of(component.getGenericType());
      }
      return shape;
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(type + " has no canonical constructor", impossible);
    }
  }

  private Supplier<List<ValueShape>> lazily(RecordComponent[] components) {
    return new Supplier<>() {
      private List<ValueShape> made = List.of();

      @Override
      public List<ValueShape> get() {
        if (made.size() != components.length) {
          made = Arrays.stream(components).map(each -> of(each.getGenericType())).toList();
        }
        return made;
      }
    };
  }

  private static IllegalArgumentException unknown(Type type) {
    return new IllegalArgumentException("it is not known how to write " + type.getTypeName());
  }
}
