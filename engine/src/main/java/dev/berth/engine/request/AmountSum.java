package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/// Amounts while they are added up. Two parallel arrays in the order of arrival: a container names
/// two to five resources.
final class AmountSum {
  private Resource[] resources = new Resource[6];
  private long[] values = new long[6];
  private int size;

  /// Saturates: absurd requests stay absurd.
  void add(Resource resource, long value) {
    int i = slot(resource);
    long sum = values[i] + value;
    values[i] = sum < 0 ? Long.MAX_VALUE : sum;
  }

  void add(AmountSum other) {
    for (int i = 0; i < other.size; i++) {
      add(other.resources[i], other.values[i]);
    }
  }

  void atLeast(AmountSum other) {
    for (int i = 0; i < other.size; i++) {
      int mine = slot(other.resources[i]);
      values[mine] = Math.max(values[mine], other.values[i]);
    }
  }

  void put(Resource resource, long value) {
    int i = slot(resource); // first: it may make the arrays anew
    values[i] = value;
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean has(Resource resource) {
    for (int i = 0; i < size; i++) {
      if (resources[i].equals(resource)) {
        return true;
      }
    }
    return false;
  }

  long of(Resource resource) {
    for (int i = 0; i < size; i++) {
      if (resources[i].equals(resource)) {
        return values[i];
      }
    }
    return 0;
  }

  void each(ObjLongConsumer<Resource> consumer) {
    for (int i = 0; i < size; i++) {
      consumer.accept(resources[i], values[i]);
    }
  }

  private int slot(Resource resource) {
    for (int i = 0; i < size; i++) {
      if (resources[i].equals(resource)) {
        return i;
      }
    }
    if (size == resources.length) {
      resources = Arrays.copyOf(resources, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    resources[size] = resource;
    return size++;
  }

  Amounts amounts() {
    var map = new TreeMap<Resource, Long>();
    for (int i = 0; i < size; i++) {
      map.put(resources[i], values[i]);
    }
    return Amounts.of(map);
  }
}
