package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.ApiRefusal;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.util.Map;

/// Writes of tenants that the admission policies must refuse.
final class TenantForgeries {
  private final TenantAccess access;
  private final World world;
  private final Chance chance;
  private final Journal journal;

  TenantForgeries(TenantAccess access) {
    this.access = access;
    this.world = access.world;
    this.chance = access.chance;
    this.journal = access.journal;
  }

  void forge() {
    var pods = access.pods();
    if (pods.isEmpty()) {
      return;
    }
    var pod = chance.of(pods);
    var ref = ObjectRef.to(Kind.POD, pod);
    var node = chance.of(world.list(Kind.NODE));
    String plan = "node=" + ObjectTree.name(node) + " slots=0 millis=10 until=2036-01-01T00:00:00Z";
    boolean gated = ObjectTree.maps(pod, "spec", "schedulingGates").size() > 0;
    switch (chance.below(6)) {
      case 0 -> refused("a plan", ref, of("annotations", of("berth.dev/plan", plan)));
      case 1 -> refused("devices", ref, of("annotations", of("berth.dev/gpu-devices", "GPU-1")));
      case 2 -> refused("a share", ref, of("annotations", of("gpu-fraction", "0.01")));
      case 3 -> refused("the name of a holder", ref, of("labels", of("berth.dev/holder", "true")));
      case 4 -> {
        if (gated) {
          refused("no gate", ref, of(), of("schedulingGates", ObjectTree.ABSENT));
        }
      }
      default -> {
        var copy = of("metadata", of("namespace", ClusterGenerator.NAMESPACE, "name", "forged"));
        copy.put("spec", of("schedulerName", "berth", "nodeName", ObjectTree.name(node)));
        try {
          access.writes.create(copy);
          journal.breaks("a tenant made a pod of ours on a node");
        } catch (ApiRefusal refusal) {
          journal.count("tenants refused: a pod on a node");
        }
      }
    }
  }

  private void refused(String what, ObjectRef pod, Map<String, Object> metadata) {
    refused(what, pod, metadata, of());
  }

  private void refused(
      String what, ObjectRef pod, Map<String, Object> metadata, Map<String, Object> spec) {
    try {
      access.writes.patch(pod, of("metadata", metadata, "spec", spec));
      journal.breaks("a tenant gave " + pod + " " + what);
    } catch (ApiRefusal refusal) {
      journal.count("tenants refused: " + what);
    }
  }
}
