package dev.berth.controllers.client;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// One write of every kind, by reflection: a new kind is among them of itself. No two values in
/// them are equal, as far as their types have more than one.
public final class ExampleWrites {
  private int made;

  private ExampleWrites() {}

  public static List<ApiWrite> ofEveryKind() {
    var examples = new ExampleWrites();
    var writes = new ArrayList<ApiWrite>();
    for (Class<?> kind : ApiWrite.class.getPermittedSubclasses()) {
      writes.add((ApiWrite) examples.of(kind));
    }
    return writes;
  }

  static Object[] arguments(Class<?>... types) {
    var examples = new ExampleWrites();
    return Stream.of(types).map(examples::of).toArray();
  }

  private Object of(Class<?> type) {
    int number = ++made;
    if (type.isRecord()) {
      return filled(type);
    }
    if (type.isSealed()) {
      return of(type.getPermittedSubclasses()[0]);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return switch (type.getName()) {
      case "boolean" -> true;
      case "int" -> number;
      case "long" -> (long) number;
      case "java.lang.String" -> "text-" + number;
      case "java.time.Duration" -> Duration.ofSeconds(number);
      case "java.time.Instant" -> Instant.ofEpochSecond(number);
      case "java.util.List" -> List.of();
      case "java.util.Map", "java.util.SortedMap" -> new TreeMap<>(Map.of("key", "text-" + number));
      case "java.util.Optional" -> Optional.empty();
      default -> throw new IllegalArgumentException("no example of " + type);
    };
  }

  private Object filled(Class<?> type) {
    var types =
        Stream.of(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(types);
      canonical.setAccessible(true);
      return canonical.newInstance(Stream.of(types).map(this::of).toArray());
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException("no example of " + type, impossible);
    }
  }
}
