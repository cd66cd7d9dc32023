package dev.berth.simulator.chaos;

import dev.berth.simulator.world.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// What happened in one run: a fingerprint of all of it, the last lines, how often what happened,
/// and which rules were broken.
final class Journal {
  private static final int KEPT = 30;
  private static final long PRIME = 0x100000001b3L;

  private final Time time;
  private final Consumer<String> reader;
  private final ArrayDeque<String> last = new ArrayDeque<>();
  private final TreeMap<String, Long> counts = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private long fingerprint = 0xcbf29ce484222325L;

  /// @param reader reads along
  Journal(Time time, Consumer<String> reader) {
    this.time = time;
    this.reader = reader;
  }

  void tell(String what) {
    String line = time.instant() + " " + what;
    mark(line.hashCode());
    if (last.size() == KEPT) {
      last.removeFirst();
    }
    last.addLast(line);
    reader.accept(line);
  }

  /// Something that is the same in every run of the seed, and nothing to read.
  void mark(long what) {
    fingerprint = (fingerprint ^ what) * PRIME;
  }

  void count(String what) {
    count(what, 1);
  }

  void count(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  /// A rule does not hold.
  void breaks(String rule) {
    broken.add(rule);
  }

  List<String> broken() {
    return List.copyOf(broken);
  }

  List<String> last() {
    return List.copyOf(last);
  }

  SortedMap<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  long fingerprint() {
    return fingerprint;
  }
}
