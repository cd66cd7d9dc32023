package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What controllers make of one manifest at once: objects between, and pods.
///
/// @param workload as the API server begins it
/// @param number of its manifest
record MadeObjects(Map<String, Object> workload, Instant now, int number) {
  /// The workload, and all that is made of it.
  List<Map<String, Object>> of(List<PodRole> roles) {
    var all = new ArrayList<Map<String, Object>>();
    all.add(workload);
    for (PodRole role : roles) {
      if (role.template() == workload) {
        continue; // a pod by itself
      }
      for (int set = 0; set < role.sets() && role.pods() > 0; set++) {
        var owner = role.between().of(set).map(it -> known(it, all)).orElse(workload);
        for (int pod = 0; pod < role.pods(); pod++) {
          all.add(pod(role, set, pod, owner));
        }
      }
    }
    return all;
  }

  /// An object between is made once, though several roles stand below it.
  private Map<String, Object> known(Map<String, Object> between, List<Map<String, Object>> all) {
    own(ObjectTree.under(between, "metadata"), workload);
    Submission.begin(between, now, number);
    for (var each : all) {
      if (ObjectTree.uid(each).equals(ObjectTree.uid(between))) {
        return each;
      }
    }
    all.add(between);
    return between;
  }

  private Map<String, Object> pod(PodRole role, int set, int index, Map<String, Object> owner) {
    var pod = ObjectTree.thaw(role.template());
    pod.put("apiVersion", "v1");
    pod.put("kind", "Pod");
    var metadata = ObjectTree.under(pod, "metadata");
    role.writing().write(set, index, metadata);
    own(metadata, owner);
    Submission.begin(pod, now, number);
    return pod;
  }

  private void own(Map<String, Object> metadata, Map<String, Object> owner) {
    metadata.put("namespace", ObjectTree.text(workload, "metadata", "namespace"));
    metadata.put(
        "ownerReferences",
        ObjectTree.ownedBy(
            ObjectTree.text(owner, "apiVersion"),
            ObjectTree.text(owner, "kind"),
            ObjectTree.name(owner),
            ObjectTree.uid(owner)));
  }
}
