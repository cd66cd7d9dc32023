package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/// A cluster on which pods of a few classes arrive, one after the other.
final class ArrivalWorld {
  static final int NODES = 24;

  static final int GPUS = 4;

  final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  final Random random;
  long versions = 10;
  long used; // thousandths of GPUs
  int arrived;

  ArrivalWorld(long seed) {
    random = new Random(seed);
    for (int n = 0; n < NODES; n++) {
      record(new Fact.NodeSeen(node("n" + (100 + n))));
    }
  }

  void record(Fact fact) {
    var _ = ledger.record(fact);
  }

  private static Node node(String name) {
    return new Node(
        Sketch.at(name),
        1,
        new TreeMap<>(),
        List.of(),
        false,
        true,
        Sketch.amounts(48, GPUS).plus(Amounts.of(Resource.PODS, 109)),
        new Node.Accelerator(Resource.NVIDIA, GPUS, "H100", 80_000, Node.Mig.NONE));
  }

  /// Shares of 800, 550, 450 and 200, whole GPUs, and pods without.
  private PodRequest any() {
    int[] shares = {800, 800, 550, 450, 200};
    int which = random.nextInt(8);
    long cpu = which == 7 ? 8_000 : which == 6 ? 14_000 : 6_000;
    var amounts = Amounts.of(Resource.CPU, cpu);
    if (which < shares.length) {
      return request(amounts, Sketch.share(shares[which]));
    }
    return which == 7
        ? request(amounts, DeviceRequest.NONE)
        : request(
            amounts.plus(Amounts.of(Resource.NVIDIA, 1)),
            new DeviceRequest.Whole(Resource.NVIDIA, 1));
  }

  private static PodRequest request(Amounts amounts, DeviceRequest devices) {
    return new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, List.of());
  }

  private Pod pod(PodRequest request, Placement at) {
    boolean runs = !at.isNone();
    boolean shares = runs && !at.slots().isEmpty();
    return new Pod(
        Sketch.uid("p" + arrived),
        new PodKey("default", "p" + arrived),
        versions++,
        Sketch.START,
        "berth",
        new Pod.Lifecycle(
            runs ? Pod.Phase.RUNNING : Pod.Phase.PENDING,
            at.node(),
            runs ? List.of() : List.of(Pod.Lifecycle.GATE),
            false,
            ""),
        new Pod.Asks(request, Constraints.NONE, 0, Preemptibility.NON_PREEMPTIBLE),
        new Pod.Belonging(
            QueueName.NONE, GroupKey.NONE, 0, "", new Pod.Owner(OwnerUid.NONE, "", "", ""), 0),
        new Pod.Written(
            shares ? new WrittenPlan(at, "", 1, Sketch.START) : WrittenPlan.NONE, List.of()),
        Pod.Holding.NONE,
        List.of());
  }

  PodRequest arrives() {
    arrived++;
    var request = any();
    record(new Fact.PodSeen(pod(request, Placement.NONE)));
    return request;
  }

  /// It runs where the plan says; else it leaves.
  void follow(PodRequest request, Optional<Placement> place) {
    if (place.isEmpty()) {
      var key = new PodKey("default", "p" + arrived);
      record(new Fact.PodGone(key, Sketch.uid("p" + arrived)));
      return;
    }
    record(new Fact.PodSeen(pod(request, place.get())));
    used += (long) request.devices().count() * request.devices().millisOn(80_000);
  }
}
