package dev.berth.engine.format;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/// Numbers of objects, by identity. Keeps no object in memory: one that nothing else holds cannot
/// be asked for again.
///
/// Of one thread at a time.
final class KnownValues {
  private static final int LEAST = 1 << 6;

  /// Of so many places one is free at least.
  private static final int FREE = 3;

  private @Nullable Numbered[] table = new Numbered[LEAST];
  private int taken; // places, those of objects that are gone too
  private int numbers;

  private static final class Numbered extends WeakReference<Object> {
    private final int hash;
    private final int number;

    Numbered(Object value, int hash, int number) {
      super(value);
      this.hash = hash;
      this.number = number;
    }
  }

  /// One more than the number of an object; 0 = it has none.
  int reference(Object value) {
    int hash = System.identityHashCode(value);
    for (int i = place(hash, table); ; i = i + 1 & table.length - 1) {
      var known = table[i];
      if (known == null) {
        return 0;
      }
      if (known.hash == hash && known.refersTo(value)) {
        return known.number + 1;
      }
    }
  }

  /// Gives the next number to an object that has none.
  void add(Object value) {
    if (taken + 1 > table.length - table.length / FREE) {
      rebuild();
    }
    int hash = System.identityHashCode(value);
    put(new Numbered(value, hash, numbers++), table);
    taken++;
  }

  /// How many numbers were given.
  int numbers() {
    return numbers;
  }

  /// Leaves out objects that are gone, and then has place for as many again.
  private void rebuild() {
    int live = 0;
    for (var known : table) {
      live += known == null || known.refersTo(null) ? 0 : 1;
    }
    int size = Math.max(LEAST, Integer.highestOneBit(2 * live + 1) << 1);
    var next = new Numbered[size];
    taken = 0;
    for (var known : table) {
      if (known != null && !known.refersTo(null)) {
        put(known, next);
        taken++;
      }
    }
    table = next;
  }

  private static void put(Numbered known, @Nullable Numbered[] table) {
    int i = place(known.hash, table);
    while (table[i] != null) {
      i = i + 1 & table.length - 1;
    }
    table[i] = known;
  }

  private static int place(int hash, @Nullable Numbered[] table) {
    return (hash ^ hash >>> 15) & table.length - 1;
  }
}
