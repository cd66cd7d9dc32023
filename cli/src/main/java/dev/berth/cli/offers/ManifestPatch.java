package dev.berth.cli.offers;

import dev.berth.engine.explain.Remedy;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The manifests of a workload as an offer would have them.
public final class ManifestPatch {
  private ManifestPatch() {}

  /// Whether manifests can say so: else it is not the user's to change, or there is more than one
  /// way (which class has a priority, which role of several is smaller).
  public static boolean isAble(List<Map<String, Object>> manifests, Remedy remedy) {
    return switch (remedy) {
      case Remedy.LowerMinimum _ -> saysMinimum(manifests);
      case Remedy.Preemptible _, Remedy.OtherQueue _ -> true;
      case Remedy.FewerDevices _,
          Remedy.SmallerShare _,
          Remedy.SmallerMemory _,
          Remedy.DropSelector _,
          Remedy.Tolerate _,
          Remedy.PreferTopology _ ->
          manifests.stream().noneMatch(ManifestPatch::isOfNoTemplate);
      case Remedy.NotBefore _,
          Remedy.RaiseLimit _,
          Remedy.RaiseQuota _,
          Remedy.MayPreempt _,
          Remedy.RaisePriority _,
          Remedy.EndWorkloads _,
          Remedy.Uncordon _,
          Remedy.AddNodes _,
          Remedy.SwitchOn _ ->
          false;
    };
  }

  private static boolean saysMinimum(List<Map<String, Object>> manifests) {
    return manifests.stream()
        .allMatch(each ->
            SubmittedKind.of(each)
                .map(kind -> kind.isAnnotated() || kind.minimum().isPresent())
                .orElse(true));
  }

  /// Its pods are made of other fields than those of a pod.
  private static boolean isOfNoTemplate(Map<String, Object> manifest) {
    return SubmittedKind.of(manifest).equals(Optional.of(SubmittedKind.WORKFLOW));
  }

  /// @param remedies each of which is [#isAble]
  /// @return copies
  public static List<Map<String, Object>> of(
      List<Map<String, Object>> manifests, List<Remedy> remedies) {
    var patched = new ArrayList<Map<String, Object>>();
    boolean hasGroup = manifests.stream().anyMatch(Submission::isPodGroup);
    for (var manifest : manifests) {
      var copy = ObjectTree.thaw(manifest);
      for (Remedy remedy : remedies) {
        if (Submission.isPodGroup(copy)) {
          toGroup(ObjectTree.under(copy, "spec"), remedy);
        } else {
          toWorkload(copy, remedy, hasGroup);
        }
      }
      patched.add(copy);
    }
    return patched;
  }

  private static void toGroup(Map<String, Object> spec, Remedy remedy) {
    switch (remedy) {
      case Remedy.Preemptible _ -> spec.put("preemptibility", "Preemptible");
      case Remedy.LowerMinimum(_, int to) -> spec.put("minMember", (long) to);
      case Remedy.OtherQueue(var queue) -> spec.put("queue", queue.value());
      case Remedy.PreferTopology _ -> prefer(spec);
      default -> {} // it is the pods that say so
    }
  }

  private static void prefer(Map<String, Object> spec) {
    var holders = ObjectTree.maps(spec, "subGroups");
    holders.add(spec);
    for (var holder : holders) {
      if (holder.get("topology") != null) {
        prefer(ObjectTree.under(holder, "topology"), "required", "preferred");
      }
    }
  }

  private static void prefer(Map<String, Object> names, String required, String preferred) {
    var level = names.remove(required);
    if (level != null) {
      names.put(preferred, level);
    }
  }

  private static void toWorkload(Map<String, Object> manifest, Remedy remedy, boolean hasGroup) {
    var kind = SubmittedKind.of(manifest).orElseThrow();
    var holders = new ArrayList<Map<String, Object>>();
    holders.add(manifest);
    var templates = new ArrayList<Map<String, Object>>();
    try {
      if (kind != SubmittedKind.WORKFLOW) {
        holders.addAll(kind.holders(manifest));
      }
      kind.roles(manifest).stream()
          .map(PodRole::template)
          .filter(each -> templates.stream().noneMatch(known -> known == each))
          .forEach(templates::add);
    } catch (UntoldPods untold) {
      throw new IllegalArgumentException("its pods were told before", untold);
    }
    switch (remedy) {
      case Remedy.Preemptible _ -> label(holders, WellKnownNames.PREEMPTIBILITY, "preemptible");
      case Remedy.OtherQueue(var queue) -> label(holders, WellKnownNames.QUEUE, queue.value());
      case Remedy.LowerMinimum(_, int to) -> {
        if (!hasGroup) {
          lower(manifest, kind, holders, to);
        }
      }
      case Remedy.PreferTopology _ -> {
        for (var holder : holders) {
          if (ObjectTree.has(holder, "metadata", "annotations")) {
            prefer(
                annotations(holder),
                WellKnownNames.TOPOLOGY_REQUIRED,
                WellKnownNames.TOPOLOGY_PREFERRED);
          }
        }
      }
      default -> templates.forEach(template -> toPods(template, remedy, templates.size() == 1));
    }
  }

  /// Where its kind has a field for it, or by annotation.
  private static void lower(
      Map<String, Object> manifest,
      SubmittedKind kind,
      List<Map<String, Object>> holders,
      int minimum) {
    var path = kind.minimum();
    if (path.isEmpty()) {
      annotateWhereItIs(holders, WellKnownNames.MIN_MEMBER, Integer.toString(minimum));
      return;
    }
    var at = manifest;
    for (String field : path.get().subList(0, path.get().size() - 1)) {
      at = ObjectTree.under(at, field);
    }
    at.put(path.get().getLast(), (long) minimum);
  }

  /// @param isOnly whether there are no other templates: of several those are changed that say it
  private static void toPods(Map<String, Object> template, Remedy remedy, boolean isOnly) {
    var spec = ObjectTree.under(template, "spec");
    switch (remedy) {
      case Remedy.FewerDevices(int from, int to) -> fewer(spec, from, to);
      case Remedy.SmallerShare(_, int to) ->
          share(template, WellKnownNames.GPU_FRACTION, Resource.GPU.text(to), isOnly);
      case Remedy.SmallerMemory(_, long to) ->
          share(template, WellKnownNames.GPU_MEMORY, Remedy.memory(to), isOnly);
      case Remedy.DropSelector(var label, _) -> {
        if (ObjectTree.has(spec, "nodeSelector")) {
          ObjectTree.under(spec, "nodeSelector").remove(label);
        }
      }
      case Remedy.Tolerate(var taint) -> {
        var tolerations = new ArrayList<>(ObjectTree.list(spec, "tolerations"));
        tolerations.add(
            taint.value().isEmpty()
                ? ObjectTree.of("key", taint.key(), "operator", "Exists", "effect", taint.effect())
                : ObjectTree.of(
                    "key", taint.key(), "value", taint.value(), "effect", taint.effect()));
        spec.put("tolerations", tolerations);
      }
      default -> throw new IllegalArgumentException("no manifest says " + remedy);
    }
  }

  private static void share(
      Map<String, Object> template, String name, String value, boolean isOnly) {
    if (isOnly || !ObjectTree.annotation(template, name).isEmpty()) {
      annotations(template).put(name, value);
    }
  }

  private static void label(List<Map<String, Object>> holders, String name, String value) {
    for (var holder : holders) {
      ObjectTree.under(ObjectTree.under(holder, "metadata"), "labels").put(name, value);
    }
  }

  private static Map<String, Object> annotations(Map<String, Object> holder) {
    return ObjectTree.under(ObjectTree.under(holder, "metadata"), "annotations");
  }

  /// Where one says it; on the first where none does.
  private static void annotateWhereItIs(
      List<Map<String, Object>> holders, String name, String value) {
    boolean isThere = false;
    for (var holder : holders) {
      if (!ObjectTree.annotation(holder, name).isEmpty()) {
        annotations(holder).put(name, value);
        isThere = true;
      }
    }
    if (!isThere) {
      annotations(holders.getFirst()).put(name, value);
    }
  }

  /// Whole devices stand in the limits and requests of a container, by any name of a resource that
  /// is no core and no memory.
  private static void fewer(Map<String, Object> spec, int from, int to) {
    for (var container : ObjectTree.maps(spec, "containers")) {
      for (String part : List.of("limits", "requests")) {
        if (ObjectTree.has(container, "resources", part)) {
          ObjectTree.under(ObjectTree.under(container, "resources"), part)
              .replaceAll((name, amount) ->
                  name.contains("/") && String.valueOf(amount).equals(Integer.toString(from))
                      ? (Object) Integer.toString(to)
                      : amount);
        }
      }
    }
  }
}
