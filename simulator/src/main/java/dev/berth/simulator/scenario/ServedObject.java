package dev.berth.simulator.scenario;

import dev.berth.simulator.world.ObjectTree;
import java.util.Map;
import java.util.regex.Pattern;

/// Tells objects that an API server served from those that were written by hand. The former are
/// read as Berth reads a live cluster: what is wrong in one of them is told, and keeps none of the
/// others from being read.
final class ServedObject {
  private static final Pattern UID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private ServedObject() {}

  /// By what an API server alone writes into metadata.
  static boolean isOne(Map<String, ?> object) {
    return !ObjectTree.text(object, "metadata", "resourceVersion").isEmpty()
        || ObjectTree.has(object, "metadata", "managedFields")
        || UID.matcher(ObjectTree.uid(object)).matches();
  }
}
