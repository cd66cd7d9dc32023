package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Berth's writes on pods, done to a world.
public final class WorldPods implements PodClient {
  private final World world;

  public WorldPods(World world) {
    this.world = world;
  }

  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
    var gates = new ArrayList<Object>();
    world
        .find(ObjectRef.pod(pod))
        .ifPresent(is -> gates.addAll(ObjectTree.maps(is, "spec", "schedulingGates")));
    gates.removeIf(gate -> gate.equals(ObjectTree.of("name", Pod.Lifecycle.GATE)));
    var metadata =
        ObjectTree.of(
            "uid",
            uid.value(),
            "annotations",
            ObjectTree.of(WellKnownNames.PLAN, plan, WellKnownNames.PREEMPTOR, ObjectTree.ABSENT));
    if (version > 0) {
      metadata.put("resourceVersion", Long.toString(version));
    }
    var patch =
        ObjectTree.of(
            "metadata",
            metadata,
            "spec",
            ObjectTree.of("schedulingGates", gates.isEmpty() ? ObjectTree.ABSENT : gates));
    ClientErrors.pass(world, pod, uid, () -> world.patch(ObjectRef.pod(pod), patch));
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    var patch =
        ObjectTree.of(
            "metadata",
            ObjectTree.of("uid", uid.value()),
            "status",
            ObjectTree.of("nominatedNodeName", node.isNone() ? ObjectTree.ABSENT : node.value()));
    long[] version = {0};
    ClientErrors.pass(
        world,
        pod,
        uid,
        () -> {
          var after = world.patchStatus(ObjectRef.pod(pod), patch);
          version[0] = Long.parseLong(ObjectTree.text(after, "metadata", "resourceVersion"));
        });
    return version[0];
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
    var note =
        ObjectTree.of(WellKnownNames.PREEMPTOR, isPreemptor ? uid.value() : ObjectTree.ABSENT);
    var patch = ObjectTree.of("metadata", ObjectTree.of("uid", uid.value(), "annotations", note));
    ClientErrors.pass(world, pod, uid, () -> world.patch(ObjectRef.pod(pod), patch));
  }

  @Override
  public void warns(PodKey pod, PodUid uid, PodWarning warning) throws ClientException {
    var condition =
        Conditions.condition(warning.type(), warning.isTrue(), warning.reason(), warning.message());
    condition.put("lastTransitionTime", warning.since().truncatedTo(ChronoUnit.SECONDS).toString());
    var patch =
        ObjectTree.of(
            "metadata",
            ObjectTree.of("uid", uid.value()),
            "status",
            ObjectTree.of("conditions", List.of(condition)));
    ClientErrors.pass(world, pod, uid, () -> world.patchStatus(ObjectRef.pod(pod), patch));
  }

  @Override
  public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      throws ClientException {
    try {
      world.bind(ObjectRef.pod(pod), uid.value(), node.value(), annotations);
    } catch (ApiRefusal refusal) {
      if (!isThere(pod, uid, node)) {
        throw ClientErrors.failure(world, pod, uid, refusal);
      }
    }
  }

  private boolean isThere(PodKey pod, PodUid uid, NodeName node) {
    return world
        .find(ObjectRef.pod(pod))
        .filter(
            is -> ObjectTree.uid(is).equals(uid.value()) && PodRules.node(is).equals(node.value()))
        .isPresent();
  }

  @Override
  public long version(PodKey pod, PodUid uid) throws ClientException {
    var found = world.find(ObjectRef.pod(pod)).filter(is -> ObjectTree.uid(is).equals(uid.value()));
    if (found.isEmpty()) {
      throw new ClientException(ClientException.Kind.GONE, pod + " is gone");
    }
    return Long.parseLong(ObjectTree.text(found.get(), "metadata", "resourceVersion"));
  }

  @Override
  public boolean isOn(PodKey pod, PodUid uid, NodeName node) {
    return isThere(pod, uid, node);
  }

  @Override
  public void evict(PodKey pod, PodUid uid) throws ClientException {
    ClientErrors.pass(world, pod, uid, () -> world.evict(ObjectRef.pod(pod), uid.value()));
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    var marked =
        ObjectTree.of(
            "metadata",
            ObjectTree.of("uid", uid.value()),
            "status",
            ObjectTree.of(
                "conditions",
                List.of(
                    Conditions.condition(
                        "DisruptionTarget", true, "DeletionByBerth", "Berth deletes the pod"))));
    ClientErrors.pass(
        world,
        pod,
        uid,
        () -> {
          world.patchStatus(ObjectRef.pod(pod), marked);
          world.delete(ObjectRef.pod(pod), uid.value(), grace);
        });
  }
}
