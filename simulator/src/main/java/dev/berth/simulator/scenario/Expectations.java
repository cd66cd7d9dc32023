package dev.berth.simulator.scenario;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// What must be so when nothing changes any more. What is not named may be as it likes.
///
/// @param pods by `namespace/name`
/// @param running members that run, by the `namespace/name` of their group
/// @param evictions the most over the whole run, moves included; [#ANY] = any number
public record Expectations(
    SortedMap<String, OfPod> pods, SortedMap<String, Integer> running, int evictions) {
  public static final int ANY = -1;

  public Expectations {
    pods = Collections.unmodifiableSortedMap(new TreeMap<>(pods));
    running = Collections.unmodifiableSortedMap(new TreeMap<>(running));
  }

  /// The most evictions, where there is a limit.
  OptionalInt mostEvictions() {
    return evictions == ANY ? OptionalInt.empty() : OptionalInt.of(evictions);
  }

  /// @param phase in which the pod must be; [Phase#ANY] = any
  /// @param nodeIn equivalent nodes; empty = any
  public record OfPod(Phase phase, List<String> nodeIn) {
    public OfPod {
      nodeIn = List.copyOf(nodeIn);
    }
  }

  /// How a pod stands, in the words of a scenario.
  public enum Phase {
    /// Not bound.
    PENDING("Pending"),
    /// Bound and not leaving, whether its containers are up already or not.
    RUNNING("Running"),
    /// On its way out.
    TERMINATING("Terminating"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed"),
    ANY("");

    private final String word;

    Phase(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    static List<String> words() {
      return List.of(PENDING.word, RUNNING.word, TERMINATING.word, SUCCEEDED.word, FAILED.word);
    }
  }
}
