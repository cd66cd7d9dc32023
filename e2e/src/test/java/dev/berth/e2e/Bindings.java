package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/// When each pod was first seen bound, by one watch with one clock; and how long each gang was
/// bound in part.
final class Bindings {
  private final Map<String, Long> boundNanos = new TreeMap<>();
  private final Map<String, Map<String, Boolean>> gangs = new TreeMap<>();
  private final Map<String, Long> partlySince = new TreeMap<>();
  private final Map<String, Long> longestPartly = new TreeMap<>();
  private final Map<String, Integer> required;

  /// @param required members that each gang needs at least, by group
  Bindings(Map<String, Integer> required) {
    this.required = required;
  }

  synchronized void seen(JsonNode pod) {
    String name = Api.name(pod);
    boolean bound = Truth.isBound(pod);
    if (bound) {
      boundNanos.putIfAbsent(name, System.nanoTime());
    }
    String group = pod.path("metadata").path("labels").path("berth.dev/pod-group").asText();
    Integer needed = required.get(group);
    if (needed != null) {
      var members = gangs.computeIfAbsent(group, _ -> new TreeMap<>());
      members.put(name, bound);
      long count = members.values().stream().filter(b -> b).count();
      if (count > 0 && count < needed) {
        partlySince.putIfAbsent(group, System.nanoTime());
      } else if (partlySince.containsKey(group)) {
        longestPartly.merge(group, System.nanoTime() - partlySince.remove(group), Math::max);
      }
    }
  }

  synchronized int count(String prefix) {
    int count = 0;
    for (String name : boundNanos.keySet()) {
      count += name.startsWith(prefix) ? 1 : 0;
    }
    return count;
  }

  /// Seconds from `begun` to the last binding of pods whose name begins so.
  synchronized double lastSeconds(String prefix, long begun) {
    long last = begun;
    for (var bound : boundNanos.entrySet()) {
      if (bound.getKey().startsWith(prefix)) {
        last = Math.max(last, bound.getValue());
      }
    }
    return (last - begun) / 1e9;
  }

  /// Seconds from `begun` to the first of them.
  synchronized double firstSeconds(String prefix, long begun) {
    long first = Long.MAX_VALUE;
    for (var bound : boundNanos.entrySet()) {
      if (bound.getKey().startsWith(prefix)) {
        first = Math.min(first, bound.getValue());
      }
    }
    return first == Long.MAX_VALUE ? Double.NaN : (first - begun) / 1e9;
  }

  /// The longest time, in seconds, that any gang was bound in part (those that still are included).
  synchronized double longestPartlySeconds() {
    long longest = 0;
    for (long nanos : longestPartly.values()) {
      longest = Math.max(longest, nanos);
    }
    for (long since : partlySince.values()) {
      longest = Math.max(longest, System.nanoTime() - since);
    }
    return longest / 1e9;
  }

  /// The same by gang, those above `seconds`, for diagnosis.
  synchronized Map<String, Double> partlyLongerThan(double seconds) {
    var longer = new TreeMap<String, Double>();
    longestPartly.forEach((gang, nanos) -> longer.put(gang, nanos / 1e9));
    longer.values().removeIf(each -> each <= seconds);
    return longer;
  }

  /// A gang that gave up: what was bound of it in part is no longer, but stays counted.
  synchronized void forget(String gang) {
    if (partlySince.containsKey(gang)) {
      longestPartly.merge(gang, System.nanoTime() - partlySince.remove(gang), Math::max);
    }
    required.remove(gang);
    gangs.remove(gang);
  }

  synchronized void clear() {
    boundNanos.clear();
    gangs.clear();
    partlySince.clear();
    longestPartly.clear();
  }
}
