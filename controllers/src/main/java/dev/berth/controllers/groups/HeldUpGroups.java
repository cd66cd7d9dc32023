package dev.berth.controllers.groups;

import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.ledger.view.HeldUp;
import dev.berth.engine.ledger.view.PendingEvictions;
import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Groups that have a place and wait say for what: for victims to leave, how many of them have,
/// which they are and which the API server does not evict; for its shared devices, and which step
/// is under way there, a holder that starts, a probe that proves the node, or what fails of these;
/// for a volume that is provisioned. Pure.
public final class HeldUpGroups {
  /// Pods, devices and nodes that a sentence names.
  private static final int MOST_STEPS = 3;

  /// What Berth's extender answers stands in such words so.
  private static final String OUR_WORDS = "berth: ";

  private HeldUpGroups() {}

  /// A pod that is to leave and that the API server does not evict.
  ///
  /// @param answer of the API server
  /// @param wayOut what ends that
  public record Blocked(String answer, String wayOut) {}

  /// Of one group.
  private static final class Steps {
    final Set<PodUid> pods = new TreeSet<>();
    final Set<PodKey> leaving = new TreeSet<>();
    final Set<PodUid> left = new TreeSet<>();
    final Set<String> failures = new LinkedHashSet<>();
    final Set<SlotKey> unheld = new TreeSet<>();
    final Set<String> words = new LinkedHashSet<>();
    String wayOut = "";

    Reason reason() {
      var steps = new ArrayList<>(failures);
      steps.addAll(words);
      int more = steps.size() - MOST_STEPS;
      if (more > 0) {
        steps.subList(MOST_STEPS, steps.size()).clear();
        steps.add("and " + more + " more");
      }
      return new Reason.Starting(
          pods.size(), leaving.size(), left.size(), unheld.size(), steps, wayOut);
    }
  }

  /// @param waits what groups without a place wait for, which stays
  /// @param blocked of a pod that is to leave: whether the API server does not evict it
  public static SortedMap<GroupKey, Reason> with(
      SortedMap<GroupKey, Reason> waits,
      List<PendingEvictions> pending,
      List<HeldUp> heldUp,
      List<Provisioning> provisioning,
      List<Unasked> unasked,
      Function<PodUid, Optional<Blocked>> blocked) {
    var groups = new TreeMap<GroupKey, Steps>();
    for (PendingEvictions each : pending) {
      if (!waits.containsKey(each.group())) {
        add(each, blocked, groups.computeIfAbsent(each.group(), _ -> new Steps()));
      }
    }
    for (HeldUp held : heldUp) {
      if (!waits.containsKey(held.group())) {
        add(held, groups.computeIfAbsent(held.group(), _ -> new Steps()));
      }
    }
    for (Provisioning each : provisioning) {
      if (!waits.containsKey(each.group())) {
        add(each, groups.computeIfAbsent(each.group(), _ -> new Steps()));
      }
    }
    for (Unasked each : unasked) {
      if (!waits.containsKey(each.group())) {
        add(each, groups.computeIfAbsent(each.group(), _ -> new Steps()));
      }
    }
    if (groups.isEmpty()) {
      return waits;
    }
    var all = new TreeMap<>(waits);
    groups.forEach((key, steps) -> all.put(key, steps.reason()));
    return all;
  }

  private static void add(
      PendingEvictions pending, Function<PodUid, Optional<Blocked>> blocked, Steps steps) {
    steps.pods.add(pending.pod());
    steps.left.addAll(pending.gone());
    if (pending.leaving().isEmpty()) {
      steps.words.add("pods leave node " + pending.node());
    }
    for (Pod pod : pending.leaving()) {
      if (steps.leaving.add(pod.key())) {
        var refusal = pod.life().leaving() ? Optional.<Blocked>empty() : blocked.apply(pod.uid());
        if (refusal.isPresent()) {
          steps.failures.add("pod " + pod.key() + " is not evicted: " + refusal.get().answer());
          steps.wayOut = refusal.get().wayOut();
        } else {
          steps.words.add(
              "pod " + pod.key() + (pod.life().leaving() ? " leaves" : " is asked to leave"));
        }
      }
    }
  }

  private static void add(Provisioning provisioning, Steps steps) {
    steps.pods.add(provisioning.pod());
    var claim = provisioning.claim();
    steps.words.add(
        "StorageClass %s has no volume yet for PersistentVolumeClaim %s on node %s"
            .formatted(provisioning.storageClass(), claim.name(), provisioning.node()));
    steps.wayOut =
        "a volume from the provisioner of that class: kubectl -n %s describe pvc %s tells why there"
                .formatted(claim.namespace(), claim.name())
            + " is none";
  }

  /// kube-scheduler that finds no node by its own filters does not ask, and says so on the pod.
  private static void add(Unasked unasked, Steps steps) {
    steps.pods.add(unasked.pod());
    String refusal = unasked.refusal();
    if (!refusal.isEmpty() && !refusal.contains(OUR_WORDS)) {
      steps.words.add(
          "kube-scheduler finds no node for pod "
              + unasked.key()
              + " before it asks Berth: "
              + withoutFullStop(refusal));
      steps.wayOut = "what kube-scheduler names there";
      return;
    }
    steps.words.add(
        "kube-scheduler has not asked for pod "
            + unasked.key()
            + " since its gate was lifted, and its plan lapsed");
    steps.wayOut =
        "a kube-scheduler that runs, with a profile "
            + unasked.scheduler()
            + " and Berth as its extender (docs/operators/install.md)";
  }

  private static String withoutFullStop(String words) {
    String line = RefusalWords.oneLine(words).strip();
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  private static void add(HeldUp held, Steps steps) {
    steps.pods.add(held.pod());
    if (held.told()) {
      String probing = held.injection().probing();
      steps.words.add(
          probing.isEmpty()
              ? "node " + held.slot().node() + " is probed before its first share"
              : probing);
      return;
    }
    steps.unheld.add(held.slot());
    if (held.holder().isEmpty()) {
      steps.words.add(
          "the holder of device "
              + held.slot().slot()
              + " on node "
              + held.slot().node()
              + " is created");
      return;
    }
    var holder = held.holder().get();
    String trouble = holder.holding().trouble();
    String on = "pod " + holder.key() + " on node " + held.slot().node() + " ";
    if (trouble.isEmpty()) {
      steps.words.add(on + "starts");
    } else {
      steps.words.add(on + trouble);
      steps.wayOut =
          InjectionFault.ofMessage(trouble)
              .map(InjectionFault::wayOut)
              .orElse(
                  "kubectl -n "
                      + holder.key().namespace()
                      + " describe pod "
                      + holder.key().name()
                      + "; a group that may is planned elsewhere soon");
    }
  }
}
