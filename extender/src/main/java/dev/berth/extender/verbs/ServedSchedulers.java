package dev.berth.extender.verbs;

import dev.berth.engine.model.Pod;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;
import java.util.Optional;

/// Whose pods the verbs answer for; for all others every verb is an error.
///
/// @param ours scheduler names whose pods are queued and planned
/// @param others scheduler names whose pods are only held against room: of further profiles of the
///   same kube-scheduler, which asks its extenders about every pod
public record ServedSchedulers(List<String> ours, List<String> others) {
  private static final int LONGEST = 63;

  public ServedSchedulers {
    ours = List.copyOf(ours);
    others = List.copyOf(others);
  }

  boolean isOurs(Pod pod) {
    return ours.contains(pod.scheduler());
  }

  /// Why there is no answer for a pod; empty = there is one.
  Optional<String> refusal(Pod pod) {
    String name = pod.scheduler();
    boolean isKnown =
        ours.contains(name) || others.contains(name) || name.equals(WellKnownNames.PLACEHOLDER);
    return isKnown ? Optional.empty() : Optional.of(sentence(pod, shown(name)));
  }

  private String sentence(Pod pod, String name) {
    return "spec.schedulerName of pod "
        + pod.key()
        + " is \""
        + name
        + "\", but Berth answers for "
        + String.join(", ", ours)
        + (others.isEmpty() ? "" : ", " + String.join(", ", others))
        + " only. Give the pod schedulerName "
        + ours.getFirst()
        + ", or add \""
        + name
        + "\" to extender.otherSchedulers in Berth's configuration";
  }

  /// Of a pod that only the question knows, it may be anything.
  private static String shown(String name) {
    return name.length() > LONGEST ? name.substring(0, LONGEST) + "…" : name;
  }
}
