package dev.berth.simulator.scenario;

import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ObjectTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The fields that Kubernetes and Berth know of the kinds that manifests hold, to tell a misspelt
/// one. The table `fields.txt` has a line for each kind and version, `Kind apiVersion: Type`, and
/// one for each type, `Type: field field=Type field=*Type`, where `*` stands for values under keys
/// of the user's choice. It is made of the models of the Kubernetes client; a test compares both. A
/// kind or version that is not in the table is not checked.
final class KnownFields {
  private static final String TABLE = "fields.txt";

  /// Annotations and labels without a prefix that Berth reads of pods.
  private static final List<String> SHARES =
      List.of(
          WellKnownNames.GPU_FRACTION,
          WellKnownNames.GPU_FRACTION_LIMIT,
          WellKnownNames.GPU_MEMORY,
          WellKnownNames.GPU_MEMORY_LIMIT,
          WellKnownNames.GPU_COUNT,
          WellKnownNames.GPU_CONTAINER);

  /// What of the metadata decides for Berth.
  private static final List<String> OURS =
      List.of(
          WellKnownNames.QUEUE,
          WellKnownNames.GPU_ISOLATION,
          WellKnownNames.GPU_MODEL,
          WellKnownNames.PREEMPTIBILITY,
          WellKnownNames.POD_GROUP,
          WellKnownNames.SUBGROUP,
          WellKnownNames.MIN_MEMBER,
          WellKnownNames.TOPOLOGY,
          WellKnownNames.TOPOLOGY_REQUIRED,
          WellKnownNames.TOPOLOGY_PREFERRED,
          WellKnownNames.SEGMENT_SIZE,
          WellKnownNames.SEGMENT_REQUIRED,
          WellKnownNames.SEGMENT_PREFERRED,
          WellKnownNames.LEFT_ALONE,
          WellKnownNames.EXPECTED_RUNTIME,
          WellKnownNames.MAX_RUNTIME,
          WellKnownNames.PREEMPTION_DELAY,
          WellKnownNames.STALENESS_GRACE,
          WellKnownNames.TASK_PRIORITY);

  /// Written by Berth and its parts, or read from other kinds than workloads.
  private static final String PREFIX = "berth.dev/";

  private static final KnownFields ALL = read();

  private final Map<String, String> roots = new HashMap<>(); // looked up only
  private final Map<String, TreeMap<String, String>> types = new HashMap<>(); // looked up only

  private KnownFields() {}

  private static KnownFields read() {
    var all = new KnownFields();
    try (var table = KnownFields.class.getResourceAsStream(TABLE)) {
      if (table == null) {
        throw new IllegalStateException(TABLE + " is not in the jar");
      }
      new String(table.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(all::add);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
    return all;
  }

  private void add(String line) {
    int colon = line.indexOf(": ");
    String name = line.substring(0, colon);
    if (name.indexOf(' ') >= 0) {
      roots.put(name, line.substring(colon + 2));
      return;
    }
    var fields = new TreeMap<String, String>();
    for (String field : line.substring(colon + 2).split(" ")) {
      int is = field.indexOf('=');
      fields.put(is < 0 ? field : field.substring(0, is), is < 0 ? "" : field.substring(is + 1));
    }
    types.put(name, fields);
  }

  /// A key that is not known.
  ///
  /// @param path from the object, `spec.containers[0].imgae`
  /// @param near what was likely meant, as a hint: ` (did you mean image?)`, or empty
  record Unknown(String path, String near) {}

  /// Whether fields below the top of this object are checked.
  static boolean isInTable(Map<String, ?> object) {
    return ALL.roots.containsKey(root(object));
  }

  private static String root(Map<String, ?> object) {
    return ObjectTree.text(object, "kind") + " " + ObjectTree.text(object, "apiVersion");
  }

  /// All fields that the kind of this object does not have, and labels and annotations that are
  /// almost one of Berth's.
  static List<Unknown> unknown(Map<String, ?> object) {
    var found = new ArrayList<Unknown>();
    String type = ALL.roots.getOrDefault(root(object), "");
    if (!type.isEmpty()) {
      ALL.look("", object, type, found);
    }
    return found;
  }

  private void look(String path, Map<?, ?> tree, String type, List<Unknown> found) {
    var known = types.getOrDefault(type, new TreeMap<>());
    tree.forEach((name, value) -> {
      String key = String.valueOf(name);
      String at = path.isEmpty() ? key : path + "." + key;
      String below = known.get(key);
      if (below == null) {
        found.add(new Unknown(at, Spelling.hint(key, known.keySet())));
      } else if (type.equals("ObjectMeta") && (key.equals("labels") || key.equals("annotations"))) {
        lookAtKeys(at, value, found);
      } else if (below.startsWith("*") && value instanceof Map<?, ?> map) {
        map.forEach((each, one) -> lookBelow(at + "." + each, one, below.substring(1), found));
      } else if (!below.isEmpty()) {
        lookBelow(at, value, below, found);
      }
    });
  }

  private void lookBelow(String path, Object value, String type, List<Unknown> found) {
    if (value instanceof Map<?, ?> map) {
      look(path, map, type, found);
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        lookBelow(path + "[" + i + "]", list.get(i), type, found);
      }
    }
  }

  /// A key of the user's choice is fine unless it is almost one that Berth reads.
  private static void lookAtKeys(String path, Object value, List<Unknown> found) {
    if (value instanceof Map<?, ?> map) {
      for (String key : new TreeSet<>(map.keySet().stream().map(String::valueOf).toList())) {
        var names = key.startsWith(PREFIX) ? OURS : SHARES;
        var near = Spelling.nearest(key, names);
        boolean isMisspelt = near.isPresent() && !near.get().equals(key) && !isWritten(key);
        if (isMisspelt) {
          found.add(new Unknown(path + "." + key, Spelling.hint(key, names)));
        }
      }
    }
  }

  private static boolean isWritten(String key) {
    return List.of(
            WellKnownNames.PLAN,
            WellKnownNames.GPU_DEVICES,
            WellKnownNames.GPU_SHARE,
            WellKnownNames.PREEMPTOR,
            WellKnownNames.WAITING,
            WellKnownNames.PLACEHOLDER,
            WellKnownNames.HOLDER,
            WellKnownNames.HOLDER_SLOT,
            WellKnownNames.NAMESPACE_SCHEDULER,
            WellKnownNames.PROJECT,
            WellKnownNames.PROJECT_VERSION,
            WellKnownNames.KAI_GPU_GROUP)
        .contains(key);
  }
}
