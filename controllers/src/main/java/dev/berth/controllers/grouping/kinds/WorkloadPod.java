package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.Problems;
import java.util.ArrayList;
import java.util.List;

/// A pod of a workload, with its owners.
///
/// @param owners nearest first, as far as they could be read
/// @param further objects that its rule asked for besides, in that order
public record WorkloadPod(
    KubeObject pod, State state, List<KubeObject> owners, List<KubeObject> further) {
  public WorkloadPod {
    owners = List.copyOf(owners);
    further = List.copyOf(further);
  }

  /// @param scheduled bound to a node
  /// @param ready its condition `Ready`
  /// @param leaving being deleted, and gone soon
  public record State(boolean scheduled, boolean ready, boolean leaving, boolean over) {
    /// Whether it has no place yet.
    public boolean waits() {
      return !scheduled && !leaving && !over;
    }

    public static State of(KubeObject pod) {
      ManifestTree tree = pod.tree(new Problems());
      String phase = tree.object("status").text("phase");
      boolean ready = false;
      for (ManifestTree condition : tree.object("status").objects("conditions")) {
        ready |= condition.text("type").equals("Ready") && condition.text("status").equals("True");
      }
      boolean bound = !tree.object("spec").text("nodeName").isEmpty();
      ManifestTree metadata = tree.object("metadata");
      return new State(
          bound,
          ready,
          metadata.has("deletionTimestamp") && (!bound || PodManifest.isGoneSoon(metadata)),
          phase.equals("Succeeded") || phase.equals("Failed"));
    }
  }

  /// A pod that is just what it is.
  public static WorkloadPod of(KubeObject pod, List<KubeObject> owners) {
    return new WorkloadPod(pod, State.of(pod), owners, List.of());
  }

  public WorkloadPod seenAs(KubeObject now) {
    return new WorkloadPod(now, State.of(now), owners, further);
  }

  /// With the pod as it is there.
  public WorkloadPod seenAs(WorkloadPod now) {
    return new WorkloadPod(now.pod, now.state, owners, further);
  }

  /// The same, without those parts of the pod that no rule reads.
  public WorkloadPod slim() {
    return new WorkloadPod(pod.slim(), state, owners, further);
  }

  /// Whether no rule could tell the two apart.
  public boolean looksLike(WorkloadPod other) {
    return state.equals(other.state)
        && pod.labels().equals(other.pod.labels())
        && pod.annotations().equals(other.pod.annotations());
  }

  /// All but the pod.
  public List<KubeObject> others() {
    var others = new ArrayList<>(owners);
    others.addAll(further);
    return others;
  }

  /// Whether an object of it looks otherwise now.
  public boolean learns(KubeObject now) {
    return others().stream()
        .anyMatch(each -> each.uid().equals(now.uid()) && !each.fields().equals(now.fields()));
  }

  /// With an object of it as it is now.
  public WorkloadPod with(KubeObject now) {
    return new WorkloadPod(pod, state, replaced(owners, now), replaced(further, now));
  }

  private static List<KubeObject> replaced(List<KubeObject> things, KubeObject now) {
    return things.stream().map(each -> each.uid().equals(now.uid()) ? now : each).toList();
  }

  public WorkloadPod with(List<KubeObject> more) {
    return new WorkloadPod(pod, state, owners, more);
  }

  /// Where the owners change: those that are read again stand in their old places.
  public WorkloadPod withOwners(List<KubeObject> anew) {
    return new WorkloadPod(pod, state, anew, further);
  }

  String label(String key) {
    return pod.label(key);
  }

  String annotation(String key) {
    return pod.annotations().getOrDefault(key, "");
  }

  /// Neither finished nor on its way out.
  public boolean isAlive() {
    return !state.leaving() && !state.over();
  }

  /// The nearest owner of that kind, in a list of none or one.
  List<KubeObject> owner(String group, String kind) {
    for (KubeObject owner : owners) {
      if (owner.is(group, kind)) {
        return List.of(owner);
      }
    }
    return List.of();
  }

  /// The pod and its owners, nearest first.
  public List<KubeObject> chain() {
    var chain = new ArrayList<KubeObject>(owners.size() + 1);
    chain.add(pod);
    chain.addAll(owners);
    return chain;
  }
}
