package dev.berth.simulator.scenario;

import dev.berth.controllers.client.OwnerClient;
import dev.berth.simulator.scenario.Scenario.Item;
import dev.berth.simulator.world.ObjectTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The owners of pods that a scenario holds beside what its world knows: ReplicaSets, Deployments,
/// JobSets. An owner that it does not hold counts as one that may not be read: a dump of a cluster
/// need not hold all of it.
final class GivenOwners implements OwnerClient {
  /// Looked up only.
  private final Map<Key, Map<String, ?>> objects = new HashMap<>();

  /// @param group of the API, with no version
  private record Key(String group, String kind, String namespace, String name) {
    static Key of(String apiVersion, String kind, String namespace, String name) {
      int slash = apiVersion.indexOf('/');
      return new Key(slash < 0 ? "" : apiVersion.substring(0, slash), kind, namespace, name);
    }
  }

  /// @param items of any kinds; those without a namespace are found from every namespace
  GivenOwners(List<Item> items) {
    for (Item item : items) {
      var object = item.object();
      objects.putIfAbsent(
          Key.of(
              ObjectTree.text(object, "apiVersion"),
              item.kind(),
              ObjectTree.text(object, "metadata", "namespace"),
              ObjectTree.name(object)),
          object);
    }
  }

  @Override
  public Found recall(Wanted wanted) {
    return read(wanted);
  }

  @Override
  public Found read(Wanted wanted) {
    Map<String, ?> object = find(wanted, wanted.namespace());
    if (object.isEmpty()) {
      object = find(wanted, "");
    }
    if (object.isEmpty()) {
      return new Barred();
    }
    boolean isAnother = !wanted.uid().isEmpty() && !wanted.uid().equals(ObjectTree.uid(object));
    return isAnother ? new Missing() : new Present(ObjectTree.text(object, "apiVersion"), object);
  }

  private Map<String, ?> find(Wanted wanted, String namespace) {
    return objects.getOrDefault(
        Key.of(wanted.apiVersion(), wanted.kind(), namespace, wanted.name()), Map.of());
  }
}
