package dev.berth.engine.forecast;

import dev.berth.engine.model.QueueName;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// How long groups that started waited for each of those that they found waiting: logarithms of the
/// ratios, the latest [#REMEMBERED] of each class of groups. Groups of one queue and size are a
/// class, those of one queue, those of one size, and all; the narrowest that has enough ratios
/// decides. Of a class that queues share, each has a few alone, so that none has it for itself.
/// Bounded. One thread.
final class WaitRatios {
  private static final int REMEMBERED = 1_000;
  private static final int OF_QUEUE = 20; // in a class that queues share

  /// From as many a quantile is told: of a class of one queue, and of one that queues share.
  private static final int FEWEST = 40;

  private static final int FEWEST_SHARED = 20;
  private static final int MOST_CLASSES = 1_000;

  private record Ratio(QueueName queue, double log) {}

  /// @param queue none = of all
  /// @param size negative = of any
  private record GroupClass(QueueName queue, int size) {
    boolean isShared() {
      return queue.isNone();
    }
  }

  private final Map<GroupClass, ArrayDeque<Ratio>> byClass =
      new LinkedHashMap<>(16, 0.75f, true) { // least recently used first
        @Override
        protected boolean removeEldestEntry(Map.Entry<GroupClass, ArrayDeque<Ratio>> eldest) {
          return size() > MOST_CLASSES;
        }
      };

  private static List<GroupClass> narrowestFirst(QueueName queue, int size) {
    return List.of(
        new GroupClass(queue, size),
        new GroupClass(queue, -1),
        new GroupClass(QueueName.NONE, size),
        new GroupClass(QueueName.NONE, -1));
  }

  /// @param size by which groups are alike
  /// @param ratio of its wait to how many waited; above 0
  void add(QueueName queue, int size, double ratio) {
    var one = new Ratio(queue, Math.log(ratio));
    for (GroupClass each : narrowestFirst(queue, size)) {
      var known = byClass.computeIfAbsent(each, _ -> new ArrayDeque<>());
      if (each.isShared()) {
        removeOldestBeyond(known, queue);
      }
      known.add(one);
      if (known.size() > REMEMBERED) {
        known.removeFirst();
      }
    }
  }

  private static void removeOldestBeyond(ArrayDeque<Ratio> known, QueueName queue) {
    long before = known.stream().filter(each -> each.queue.equals(queue)).count();
    for (Iterator<Ratio> each = known.iterator(); before >= OF_QUEUE && each.hasNext(); ) {
      if (each.next().queue.equals(queue)) {
        each.remove();
        before--;
      }
    }
  }

  /// The ratio that a part of those reach at most that go beyond a least ratio.
  ///
  /// @param level the part, from 0 to 1
  /// @param shift of all ratios, in three standard deviations of their logarithms
  /// @param least 0 or less = all count
  /// @return empty where too few are known, or none goes beyond
  OptionalDouble quantile(QueueName queue, int size, double level, double shift, double least) {
    for (GroupClass each : narrowestFirst(queue, size)) {
      var known = byClass.get(each);
      if (known != null && known.size() >= (each.isShared() ? FEWEST_SHARED : FEWEST)) {
        return quantile(known, level, shift, least);
      }
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble quantile(
      ArrayDeque<Ratio> known, double level, double shift, double least) {
    double moved = 3 * deviation(known) * shift;
    double beyond = Math.log(Math.max(0, least)) - moved;
    var logs =
        known.stream().mapToDouble(Ratio::log).filter(log -> log > beyond).sorted().toArray();
    if (logs.length == 0) {
      return OptionalDouble.empty();
    }
    double place = level * (logs.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, logs.length - 1);
    double log = logs[below] + (place - below) * (logs[above] - logs[below]);
    return OptionalDouble.of(Math.exp(log + moved));
  }

  private static double deviation(ArrayDeque<Ratio> values) {
    double sum = 0;
    double squares = 0;
    for (Ratio value : values) {
      sum += value.log;
      squares += value.log * value.log;
    }
    double mean = sum / values.size();
    return Math.sqrt(Math.max(0, squares / values.size() - mean * mean));
  }
}
