package dev.berth.engine.forecast;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/// How the waits of groups that started compare to what was expected of them: logarithms of the
/// ratios, the latest [#REMEMBERED] of each class of groups. Bounded. One thread.
final class WaitRatios {
  private static final int REMEMBERED = 300;
  private static final int FEWEST = 20; // from as many a quantile is told
  private static final int MOST_CLASSES = 2_000;

  private final Map<Object, ArrayDeque<Double>> byClass =
      new LinkedHashMap<>(16, 0.75f, true) { // least recently used first
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, ArrayDeque<Double>> eldest) {
          return size() > MOST_CLASSES;
        }
      };

  /// @param classes that a group is in
  /// @param ratio of its wait to what was expected; above 0
  void add(List<Object> classes, double ratio) {
    for (Object each : classes) {
      var known = byClass.computeIfAbsent(each, _ -> new ArrayDeque<>());
      known.add(Math.log(ratio));
      if (known.size() > REMEMBERED) {
        known.removeFirst();
      }
    }
  }

  /// The ratio that a part of those reach at most that go beyond a least ratio.
  ///
  /// @param classes that the group is in, the narrowest first: the first that has enough ratios
  ///   decides
  /// @param level the part, from 0 to 1
  /// @param shift of all ratios, in three standard deviations of their logarithms
  /// @param least 0 = all count
  /// @return empty where too few are known, or none goes beyond
  OptionalDouble quantile(List<Object> classes, double level, double shift, double least) {
    for (Object each : classes) {
      var known = byClass.get(each);
      if (known != null && known.size() >= FEWEST) {
        return quantile(known, level, shift, least);
      }
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble quantile(
      ArrayDeque<Double> known, double level, double shift, double least) {
    double moved = 3 * deviation(known) * shift;
    var beyond =
        known.stream()
            .mapToDouble(ratio -> Math.exp(ratio + moved))
            .filter(ratio -> ratio > least)
            .toArray();
    if (beyond.length == 0) {
      return OptionalDouble.empty();
    }
    Arrays.sort(beyond);
    double place = level * (beyond.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, beyond.length - 1);
    double low = Math.log(beyond[below]);
    return OptionalDouble.of(Math.exp(low + (place - below) * (Math.log(beyond[above]) - low)));
  }

  private static double deviation(ArrayDeque<Double> values) {
    double sum = 0;
    double squares = 0;
    for (double value : values) {
      sum += value;
      squares += value * value;
    }
    double mean = sum / values.size();
    return Math.sqrt(Math.max(0, squares / values.size() - mean * mean));
  }
}
