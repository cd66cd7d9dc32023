package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;
import java.util.Map;

/// Holder pods in a world: created with their node, never scheduled.
public final class WorldHolders implements HolderClient {
  /// Where Berth's own pods live.
  public static final String NAMESPACE = "berth-system";

  /// Marks a holder.
  public static final String LABEL = WellKnownNames.HOLDER;

  private final World world;

  public WorldHolders(World world) {
    this.world = world;
  }

  @Override
  public String namespace() {
    return NAMESPACE;
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws ClientException {
    String name = "holder-" + node + "-" + slot;
    var ref = ObjectRef.pod(NAMESPACE, name);
    try {
      world.create(Kind.POD, holder(name, node, slot, device));
    } catch (ApiRefusal refusal) {
      var there = world.find(ref);
      if (there.isEmpty() || PodRules.isLeaving(there.get())) {
        throw new ClientException(ClientException.Kind.NOT_NOW, name + " is leaving", refusal);
      }
    }
  }

  private static Map<String, Object> holder(String name, NodeName node, int slot, Resource device) {
    var amounts = ObjectTree.of(device.name(), "1");
    return ObjectTree.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        ObjectTree.of(
            "namespace",
            NAMESPACE,
            "name",
            name,
            "labels",
            ObjectTree.of(LABEL, "true"),
            "annotations",
            ObjectTree.of(WellKnownNames.HOLDER_SLOT, Integer.toString(slot))),
        "spec",
        ObjectTree.of(
            "nodeName",
            node.value(),
            "terminationGracePeriodSeconds",
            0L,
            "containers",
            List.of(
                ObjectTree.of(
                    "name",
                    "hold",
                    "image",
                    "holder",
                    "resources",
                    ObjectTree.of("limits", amounts, "requests", amounts)))));
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws ClientException {
    var there =
        world.find(ObjectRef.pod(holder)).filter(pod -> ObjectTree.uid(pod).equals(uid.value()));
    if (there.isEmpty()) {
      return;
    }
    ClientErrors.pass(world, holder, uid, () -> world.delete(ObjectRef.pod(holder)));
  }
}
