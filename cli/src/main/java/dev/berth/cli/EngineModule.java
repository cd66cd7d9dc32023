package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The parts that know and plan, and neither read nor write.
///
/// @param changes runs after every change of the ledger, on whichever thread made it
/// @param policy the planner, or what stands for it
/// @param ungated plans pods that come without a gate
/// @param forecasts when groups that wait are likely to start; [ForecastFeed] shows it the plans
record EngineModule(
    Ledger ledger,
    Relay changes,
    Cycle.PlanningPolicy policy,
    UngatedPods ungated,
    StartForecasts forecasts,
    InstantSource time) {
  static EngineModule of(Config config, Cycle.PlanningPolicy policy, InstantSource time) {
    var changes = new Relay();
    return new EngineModule(
        new Ledger(config.ledger(), changes),
        changes,
        policy,
        new UngatedPods(config.planner()),
        new StartForecasts(),
        time);
  }

  /// What is believed now.
  Snapshot snapshot() {
    return ledger.snapshot(time.instant());
  }

  /// The resource of the node's GPUs.
  Resource deviceOf(SlotKey slot) {
    return snapshot()
        .node(slot.node())
        .map(room -> room.node().accelerator())
        .orElse(Node.Accelerator.NONE)
        .resource();
  }

  /// Which bound pods have which GPUs, for metrics.
  List<Metrics.Share> shares() {
    var shares = new ArrayList<Metrics.Share>();
    for (PodGroup group : snapshot().groups()) {
      for (PodGroup.Member member : group.members()) {
        if (member.standing() instanceof Standing.Bound(Placement placement)) {
          member.pod().written().devices().stream()
              .map(uuid -> share(member.pod(), uuid, placement))
              .forEach(shares::add);
        }
      }
    }
    return shares;
  }

  private static Metrics.Share share(Pod pod, String uuid, Placement placement) {
    return new Metrics.Share(
        placement.node().value(),
        uuid,
        pod.key().namespace(),
        pod.key().name(),
        pod.asks().request().deviceContainer(),
        placement.millis() / 1000.0);
  }
}
