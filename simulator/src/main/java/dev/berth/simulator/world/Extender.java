package dev.berth.simulator.world;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;

/// What kube-scheduler asks its extender, without the HTTP. Called from the world's time, one
/// question after the other; only `bind` may answer later and from any thread.
public interface Extender {
  /// Which of these nodes may take the pod.
  Filtered filter(Map<String, ?> pod, List<String> nodes);

  /// @param nodes that passed
  /// @param failed others, with a message; preemption may be tried there
  /// @param unresolvable others, where preemption would not help
  /// @param error empty, or why there is no answer
  record Filtered(
      List<String> nodes,
      SortedMap<String, String> failed,
      SortedMap<String, String> unresolvable,
      String error) {}

  /// Scores 0 … 10 by node; absent = 0.
  Map<String, Integer> prioritize(Map<String, ?> pod, List<String> nodes);

  /// What preemption on each node would evict, by UID; answers with what it agrees to.
  SortedMap<String, List<String>> preempt(
      Map<String, ?> pod, SortedMap<String, List<String>> victimsByNode);

  /// Binds the pod.
  ///
  /// @param answer told once: empty = bound, else the error
  void bind(Binding binding, Consumer<String> answer);

  record Binding(String namespace, String name, String uid, String node) {}
}
