package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.Map;
import java.util.Optional;

/// Pods of a workload that are made alike, at once, of one template.
///
/// @param template where it is in the manifest; what is changed there is changed for its pods
/// @param sets how many objects between the workload and its pods
/// @param pods of each set
/// @param between what stands there
/// @param writing what is theirs alone
record PodRole(
    Map<String, Object> template, long sets, long pods, Between between, Writing writing) {
  /// An object between the workload and pods of it.
  interface Between {
    Between NOTHING = _ -> Optional.empty();

    /// Its tree with `apiVersion`, `kind` and name; empty = the workload owns the pods.
    Optional<Map<String, Object>> of(int set);
  }

  /// The name of a pod, and the labels by which its controller tells it.
  interface Writing {
    void write(int set, int pod, Map<String, Object> metadata);
  }

  PodRole {
    sets = Math.max(0, sets);
    pods = Math.max(0, pods);
  }

  /// Pods that the workload owns.
  static PodRole owned(Map<String, Object> template, long pods, Writing writing) {
    return new PodRole(template, 1, pods, Between.NOTHING, writing);
  }

  /// Names of pods by their number, and no labels.
  static Writing numbered(String name) {
    return (_, pod, metadata) -> metadata.put("name", name + "-" + pod);
  }

  /// All of its pods; the largest number where there are more.
  long total() {
    return pods > 0 && sets > Long.MAX_VALUE / pods ? Long.MAX_VALUE : sets * pods;
  }

  /// An object between, with no more than its name.
  static Map<String, Object> object(String apiVersion, String kind, String name) {
    return ObjectTree.of(
        "apiVersion", apiVersion, "kind", kind, "metadata", ObjectTree.of("name", name));
  }

  /// Writes a label.
  static void label(Map<String, Object> metadata, String name, String value) {
    ObjectTree.under(metadata, "labels").put(name, value);
  }
}
