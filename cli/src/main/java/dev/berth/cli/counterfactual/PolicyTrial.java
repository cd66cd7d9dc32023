package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTraffic.Span;
import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.model.QueueName;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// A log played twice in the same way, with its own queues and with others: what differs is due to
/// the queues alone.
///
/// @param file of the other queues
/// @param changed queues that are other than in the log
/// @param queues by name
/// @param all of them together
/// @param others workloads that start at another moment, or are evicted more or less often
/// @param span when the log was written
/// @param nearness how near the play with the queues of the log is to what happened
/// @param limits what is not known
public record PolicyTrial(
    Path file,
    List<String> changed,
    List<QueueEffect> queues,
    QueueEffect all,
    List<Pair> others,
    Span span,
    Nearness nearness,
    Limits limits) {
  private static final Duration NEAR = Duration.ofMinutes(1);

  public PolicyTrial {
    changed = List.copyOf(changed);
    queues = List.copyOf(queues);
    others = List.copyOf(others);
  }

  /// @param started workloads that came and started in the log
  /// @param near those of them that start within a minute of that in the play with the queues of
  ///   the log
  record Nearness(int started, int near) {}

  /// @param cut workloads that still ran at the end of one of the plays
  /// @param leftOut workloads that claim devices by dynamic resource allocation, and are not played
  record Limits(int cut, int leftOut) {}

  /// @param files of the log, the oldest first
  /// @param manifests the other queues
  /// @throws DecisionLogException where the log cannot be read, or played
  /// @throws ScenarioException where the manifests are wrong
  public static PolicyTrial of(List<Path> files, Path manifests)
      throws IOException, DecisionLogException, ScenarioException {
    var traffic = TrafficReader.read(files);
    var changed = QueueChanges.among(QueueManifests.read(manifests, traffic.queues()), traffic);
    var before = TrafficPlay.play(traffic, Collections.emptySortedMap());
    var after = TrafficPlay.play(traffic, changed);
    var perQueue = new TreeMap<QueueName, List<Pair>>();
    var all = new ArrayList<Pair>();
    for (int i = 0; i < before.size(); i++) {
      var pair = new Pair(before.get(i), after.get(i));
      all.add(pair);
      var queue = pair.before().logged().group().queue();
      perQueue.computeIfAbsent(queue, _ -> new ArrayList<>()).add(pair);
    }
    return new PolicyTrial(
        manifests,
        changed.keySet().stream().map(QueueName::value).toList(),
        perQueue.entrySet().stream()
            .map(each -> QueueEffect.of(each.getKey().value(), each.getValue()))
            .toList(),
        QueueEffect.of("", all),
        all.stream().filter(Pair::isOther).toList(),
        traffic.span(),
        nearness(before),
        new Limits(
            (int)
                all.stream().filter(each -> each.before().isCut() || each.after().isCut()).count(),
            traffic.leftOut()));
  }

  private static Nearness nearness(List<PlayedWorkload> before) {
    int started = 0;
    int near = 0;
    for (PlayedWorkload each : before) {
      var then = each.logged().started();
      if (!each.logged().ranBefore() && !then.equals(Instant.MAX)) {
        started++;
        boolean isNear =
            each.hasStarted() && Duration.between(then, each.started()).abs().compareTo(NEAR) <= 0;
        near += isNear ? 1 : 0;
      }
    }
    return new Nearness(started, near);
  }
}
