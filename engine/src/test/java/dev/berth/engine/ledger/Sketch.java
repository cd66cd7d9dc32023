package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/// Objects in few words. Each `with…` and the like makes another one.
final class Sketch {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Instant SOON = START.plus(Duration.ofSeconds(30));

  private Sketch() {}

  static NodeName at(String node) {
    return new NodeName(node);
  }

  static PodUid uid(String pod) {
    return new PodUid(pod + "-uid");
  }

  static Amounts amounts(long cpu, long devices) {
    return Amounts.of(Resource.CPU, cpu * 1000)
        .plus(Amounts.of(Resource.NVIDIA, devices))
        .plus(Amounts.of(Resource.PODS, 1));
  }

  static Node node(String name, int gpus) {
    return node(name, gpus, 1);
  }

  static Node node(String name, int gpus, long version) {
    return new Node(
        at(name),
        version,
        new TreeMap<>(),
        List.of(),
        false,
        true,
        amounts(64, gpus).plus(Amounts.of(Resource.PODS, 109)),
        new Node.Accelerator(Resource.NVIDIA, gpus, "H100", 80_000, Node.Mig.NONE));
  }

  static DeviceRequest share(int millis) {
    return new DeviceRequest.Fraction(millis, millis, 1);
  }

  static GroupSpec group(String name, int minMember) {
    return new GroupSpec(
        new GroupKey("default", name),
        name + "-group",
        1,
        START,
        QueueName.NONE,
        minMember,
        0,
        List.of(),
        GroupSpec.TopologyAsk.NONE,
        "",
        Preemptibility.BY_PRIORITY,
        GroupSpec.Patience.NONE,
        Instant.EPOCH,
        List.of());
  }

  /// A gated pod of ours, alone, that asks for one core.
  static PodSketch pod(String name) {
    return new PodSketch(
        name,
        name + "-uid",
        1,
        "berth",
        new Pod.Life(Pod.Phase.PENDING, NodeName.NONE, List.of(Pod.Life.GATE), false, ""),
        new PodRequest(amounts(1, 0), DeviceRequest.NONE, "", List.of(), Isolation.NONE, List.of()),
        0,
        new Pod.Belonging(QueueName.NONE, GroupKey.NONE, 0, "", Pod.Owner.NONE, 0),
        Pod.Written.NOTHING,
        Pod.Holding.NONE);
  }

  static Pod holder(String node, int slot, String uuid, long version) {
    String name = "holder-" + node + "-" + slot;
    return new PodSketch(
            name,
            name + "-uid",
            version,
            "default-scheduler",
            new Pod.Life(Pod.Phase.RUNNING, at(node), List.of(), false, ""),
            new PodRequest(
                amounts(0, 1), DeviceRequest.NONE, "", List.of(), Isolation.NONE, List.of()),
            0,
            new Pod.Belonging(QueueName.NONE, GroupKey.NONE, 0, "", Pod.Owner.NONE, 0),
            Pod.Written.NOTHING,
            new Pod.Holding(at(node), slot, uuid))
        .made();
  }

  record PodSketch(
      String name,
      String uid,
      long version,
      String scheduler,
      Pod.Life life,
      PodRequest request,
      int priority,
      Pod.Belonging belonging,
      Pod.Written written,
      Pod.Holding holding) {
    Pod made() {
      return new Pod(
          new PodUid(uid),
          new PodKey("default", name),
          version,
          START,
          scheduler,
          life,
          new Pod.Asks(request, Constraints.NONE, priority, Preemptibility.BY_PRIORITY),
          belonging,
          written,
          holding,
          List.of());
    }

    PodSketch version(long later) {
      return new PodSketch(
          name, uid, later, scheduler, life, request, priority, belonging, written, holding);
    }

    PodSketch uid(String other) {
      return new PodSketch(
          name, other, version, scheduler, life, request, priority, belonging, written, holding);
    }

    PodSketch scheduler(String other) {
      return new PodSketch(
          name, uid, version, other, life, request, priority, belonging, written, holding);
    }

    private PodSketch life(Pod.Life other) {
      return new PodSketch(
          name, uid, version, scheduler, other, request, priority, belonging, written, holding);
    }

    PodSketch on(String node) {
      return life(new Pod.Life(Pod.Phase.RUNNING, at(node), List.of(), life.leaving(), ""));
    }

    PodSketch leaving() {
      return life(new Pod.Life(life.phase(), life.node(), life.gates(), true, ""));
    }

    PodSketch ungated() {
      return life(new Pod.Life(life.phase(), life.node(), List.of(), life.leaving(), ""));
    }

    PodSketch over(boolean succeeded) {
      Pod.Phase phase = succeeded ? Pod.Phase.SUCCEEDED : Pod.Phase.FAILED;
      return life(new Pod.Life(phase, life.node(), List.of(), life.leaving(), ""));
    }

    private PodSketch asks(Amounts amounts, DeviceRequest devices, List<String> ports) {
      return new PodSketch(
          name,
          uid,
          version,
          scheduler,
          life,
          new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, ports),
          priority,
          belonging,
          written,
          holding);
    }

    PodSketch gpus(int count) {
      return asks(
          amounts(1, count), new DeviceRequest.Whole(Resource.NVIDIA, count), request.hostPorts());
    }

    PodSketch share(DeviceRequest share) {
      return asks(amounts(1, 0), share, request.hostPorts());
    }

    PodSketch ports(String... ports) {
      return asks(request.amounts(), request.devices(), List.of(ports));
    }

    PodSketch priority(int other) {
      return new PodSketch(
          name, uid, version, scheduler, life, request, other, belonging, written, holding);
    }

    PodSketch belonging(Pod.Belonging other) {
      return new PodSketch(
          name, uid, version, scheduler, life, request, priority, other, written, holding);
    }

    PodSketch group(String group) {
      return belonging(
          new Pod.Belonging(
              belonging.queue(),
              new GroupKey("default", group),
              belonging.minMember(),
              "",
              belonging.owner(),
              belonging.taskPriority()));
    }

    PodSketch queue(String queue) {
      return belonging(
          new Pod.Belonging(
              new QueueName(queue),
              belonging.group(),
              belonging.minMember(),
              "",
              belonging.owner(),
              belonging.taskPriority()));
    }

    PodSketch minMember(int minMember) {
      return belonging(
          new Pod.Belonging(
              belonging.queue(),
              belonging.group(),
              minMember,
              "",
              belonging.owner(),
              belonging.taskPriority()));
    }

    PodSketch taskPriority(int taskPriority) {
      return belonging(
          new Pod.Belonging(
              belonging.queue(),
              belonging.group(),
              belonging.minMember(),
              "",
              belonging.owner(),
              taskPriority));
    }

    PodSketch ofJob(String job) {
      return belonging(
          new Pod.Belonging(
              belonging.queue(),
              belonging.group(),
              belonging.minMember(),
              "",
              new Pod.Owner(new OwnerUid(job), "batch/v1", "Job", job),
              belonging.taskPriority()));
    }

    PodSketch written(WrittenPlan plan, String... devices) {
      return new PodSketch(
          name,
          uid,
          version,
          scheduler,
          life,
          request,
          priority,
          belonging,
          new Pod.Written(plan, List.of(devices)),
          holding);
    }
  }

  static WrittenPlan plan(Placement placement, Instant until) {
    return new WrittenPlan(placement, "", 1, until);
  }

  static Placement slots(String node, int millis, Integer... slots) {
    return new Placement(at(node), List.of(slots), millis);
  }
}
