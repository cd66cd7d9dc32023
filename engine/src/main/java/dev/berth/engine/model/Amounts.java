package dev.berth.engine.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// How much of which resource: a small vector, sorted by resource name, without zeros. Immutable.
///
/// Laid out as two parallel arrays, since a node or a pod has four to six entries and these are
/// added, subtracted and compared in every placement.
public final class Amounts {
  public static final Amounts NONE = new Amounts(new Resource[0], new long[0]);

  private final Resource[] resources;
  private final long[] values;

  private Amounts(Resource[] resources, long[] values) {
    this.resources = resources;
    this.values = values;
  }

  public static Amounts of(SortedMap<Resource, Long> amounts) {
    int size = 0;
    var resources = new Resource[amounts.size()];
    var values = new long[amounts.size()];
    for (var entry : amounts.entrySet()) {
      if (entry.getValue() != 0) {
        resources[size] = entry.getKey();
        values[size++] = entry.getValue();
      }
    }
    return trimmed(resources, values, size);
  }

  public static Amounts of(Resource resource, long value) {
    return value == 0 ? NONE : new Amounts(new Resource[] {resource}, new long[] {value});
  }

  private static Amounts trimmed(Resource[] resources, long[] values, int size) {
    if (size == 0) {
      return NONE;
    }
    return size == values.length
        ? new Amounts(resources, values)
        : new Amounts(Arrays.copyOf(resources, size), Arrays.copyOf(values, size));
  }

  /// The amount of one resource; 0 where it is not listed.
  public long of(Resource resource) {
    for (int i = 0; i < resources.length; i++) {
      if (resources[i].equals(resource)) {
        return values[i];
      }
    }
    return 0;
  }

  public int size() {
    return resources.length;
  }

  public Resource resource(int i) {
    return resources[i];
  }

  public long value(int i) {
    return values[i];
  }

  public List<Resource> resources() {
    return Collections.unmodifiableList(Arrays.asList(resources));
  }

  public boolean isNone() {
    return resources.length == 0;
  }

  /// The sum; saturates at `Long.MAX_VALUE` (absurd requests stay absurd, they do not wrap round).
  public Amounts plus(Amounts other) {
    return merge(other, 1);
  }

  /// The difference; entries may become negative.
  public Amounts minus(Amounts other) {
    return merge(other, -1);
  }

  private Amounts merge(Amounts other, int sign) {
    if (other.isNone()) {
      return this;
    }
    var mergedResources = new Resource[resources.length + other.resources.length];
    var mergedValues = new long[mergedResources.length];
    int size = 0;
    int mine = 0;
    int theirs = 0;
    while (mine < resources.length || theirs < other.resources.length) {
      int order =
          mine == resources.length
              ? 1
              : theirs == other.resources.length
                  ? -1
                  : resources[mine].compareTo(other.resources[theirs]);
      Resource resource = order <= 0 ? resources[mine] : other.resources[theirs];
      long value = order <= 0 ? values[mine++] : 0;
      if (order >= 0) {
        value = saturated(value, sign * other.values[theirs++]);
      }
      if (value != 0) {
        mergedResources[size] = resource;
        mergedValues[size++] = value;
      }
    }
    return trimmed(mergedResources, mergedValues, size);
  }

  private static long saturated(long a, long b) {
    long sum = a + b;
    boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
    return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
  }

  /// Each amount at most `most`.
  public Amounts cappedAt(long most) {
    for (long value : values) {
      if (value > most) {
        var capped = values.clone();
        for (int i = 0; i < capped.length; i++) {
          capped[i] = Math.min(capped[i], most);
        }
        return new Amounts(resources, capped);
      }
    }
    return this;
  }

  /// Each amount the larger of the two.
  public Amounts max(Amounts other) {
    var result = toMap();
    for (int i = 0; i < other.resources.length; i++) {
      result.merge(other.resources[i], other.values[i], Math::max);
    }
    return of(result);
  }

  public Amounts times(long factor) {
    var multiplied = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      multiplied[i] =
          Math.multiplyHigh(values[i], factor) == 0 ? values[i] * factor : Long.MAX_VALUE;
    }
    return factor == 0 ? NONE : new Amounts(resources, multiplied);
  }

  /// Whether every amount is at most what `room` has of it.
  public boolean fitsIn(Amounts room) {
    for (int i = 0; i < resources.length; i++) {
      if (values[i] > room.of(resources[i])) {
        return false;
      }
    }
    return true;
  }

  /// A new sorted map with these amounts; the caller owns it.
  public TreeMap<Resource, Long> toMap() {
    var map = new TreeMap<Resource, Long>();
    for (int i = 0; i < resources.length; i++) {
      map.put(resources[i], values[i]);
    }
    return map;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Amounts that
        && Arrays.equals(resources, that.resources)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(resources) + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return toMap().toString();
  }
}
