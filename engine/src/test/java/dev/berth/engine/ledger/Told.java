package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.holder;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A ledger and what a test tells it, in few words.
final class Told {
  final AtomicInteger wakes = new AtomicInteger();
  final Ledger ledger;

  Told() {
    this(LedgerSettings.DEFAULT);
  }

  Told(LedgerSettings settings) {
    this.ledger = new Ledger(settings, wakes::incrementAndGet);
  }

  boolean sees(PodSketch pod) {
    return ledger.record(new Fact.PodSeen(pod.made()));
  }

  boolean farewell(String pod) {
    return ledger.record(new Fact.PodGone(new PodKey("default", pod), uid(pod)));
  }

  void holds(String node, int slot, String uuid) {
    ledger.record(new Fact.PodSeen(holder(node, slot, uuid, uuid.isEmpty() ? 1 : 2)));
  }

  void nodes(int gpus, String... names) {
    for (String name : names) {
      ledger.record(new Fact.NodeSeen(node(name, gpus)));
    }
  }

  static Reserved place(String pod, Placement placement) {
    return new Reserved(uid(pod), new PodKey("default", pod), placement);
  }

  static Decision.Reserve alone(String pod, Placement placement, String... victims) {
    return new Decision.Reserve(
        new GroupKey("default", pod),
        List.of(place(pod, placement)),
        List.of(),
        victims(pod, victims));
  }

  static List<Victim> victims(String preemptor, String... pods) {
    var victims = new ArrayList<Victim>();
    for (String pod : pods) {
      victims.add(
          new Victim(
              uid(pod),
              new PodKey("default", pod),
              Cause.RECLAIM,
              new GroupKey("default", preemptor)));
    }
    return victims;
  }

  /// The plan that a pod has.
  WrittenPlan planOf(String pod) {
    return ((Standing.Planned) standing(pod)).plan();
  }

  WrittenPlan assumedOf(String group, String pod, Placement placement) {
    var decision =
        new Decision.Reserve(
            new GroupKey("default", group), List.of(place(pod, placement)), List.of(), List.of());
    return ledger.assume(decision, SOON).orElseThrow().getFirst().plan();
  }

  WrittenPlan assumed(String pod, Placement placement) {
    return ledger.assume(alone(pod, placement), SOON).orElseThrow().getFirst().plan();
  }

  Standing standing(String pod) {
    return ledger.standing(uid(pod)).orElseThrow();
  }

  Snapshot snapshot() {
    return ledger.snapshot(START);
  }

  NodeView room(String node) {
    return snapshot().node(at(node)).orElseThrow();
  }

  PodGroup shown(String group) {
    return snapshot().groups().stream()
        .filter(one -> one.key().name().equals(group))
        .findFirst()
        .orElseThrow();
  }
}
