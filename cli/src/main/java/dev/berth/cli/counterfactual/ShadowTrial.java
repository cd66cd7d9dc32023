package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTraffic.Span;
import dev.berth.cli.counterfactual.QueueEffect.Pair;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.replay.LogEntry;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What a log shows, beside what Berth's planner does with the same workloads. In each pair and
/// effect *before* is what was observed, *after* what was played.
///
/// @param source of the queues, for people
/// @param assumed queues that workloads name, and that are neither in the file nor in the log
/// @param queues by name
/// @param all of them together
/// @param pairs of all workloads
/// @param observed times of GPUs
/// @param byBerth times of GPUs
/// @param span when the log was written
/// @param leftOut workloads that claim devices, and are not played
public record ShadowTrial(
    String source,
    List<String> assumed,
    List<QueueEffect> queues,
    QueueEffect all,
    List<Pair> pairs,
    GpuTimes.Sums observed,
    GpuTimes.Sums byBerth,
    Span span,
    int leftOut) {
  /// Moments that are no further apart count as one: a scheduler takes some seconds.
  static final Duration NEAR = Duration.ofSeconds(30);

  private static final int MOST_LISTED = 10;

  public ShadowTrial {
    assumed = List.copyOf(assumed);
    queues = List.copyOf(queues);
    pairs = List.copyOf(pairs);
  }

  /// @param files of the log, the oldest first
  /// @param manifests queues that are so from beginning to end; empty = those of the log
  /// @throws DecisionLogException where the log cannot be read, or played
  /// @throws ScenarioException where the manifests are wrong
  public static ShadowTrial of(List<Path> files, Optional<Path> manifests)
      throws IOException, DecisionLogException, ScenarioException {
    var traffic = TrafficReader.read(files);
    SortedMap<QueueName, Queue> given =
        manifests.isPresent()
            ? QueueManifests.read(manifests.get(), traffic.queues())
            : Collections.emptySortedMap();
    var queues = new TreeMap<>(traffic.queues());
    queues.putAll(given);
    var others = new TreeMap<>(QueueChanges.among(given, traffic));
    var assumed = new ArrayList<String>();
    for (LoggedWorkload each : traffic.workloads()) {
      var name = each.group().queue();
      if (!queues.containsKey(name)) {
        assumed.add(name.value());
        queues.put(name, Queue.implied(name, true));
        others.put(name, queues.get(name));
      }
    }
    Collections.sort(assumed);
    String poolLabel = traffic.settings().poolLabel();
    var played = new GpuTimes(queues, poolLabel);
    var byBerth = TrafficPlay.play(traffic, others, snapshot -> played.see(snapshot.get()));
    played.passUntil(traffic.span().end());
    return of(
        manifests.map(file -> "the queues of " + file).orElse("the queues of the log"),
        assumed,
        traffic,
        byBerth,
        observed(files, queues, poolLabel),
        played.sums());
  }

  /// Read a second time: the quotas are known only now.
  private static GpuTimes.Sums observed(
      List<Path> files, SortedMap<QueueName, Queue> queues, String poolLabel)
      throws IOException, DecisionLogException {
    var times = new GpuTimes(queues, poolLabel);
    for (Path file : files) {
      try (var entries = new DecisionFileReader(file)) {
        for (var next = entries.next(); next.isPresent(); next = entries.next()) {
          switch (next.get()) {
            case LogEntry.Begin _ -> {}
            case LogEntry.Accounted(var snapshot) -> times.see(snapshot);
            case LogEntry.Planned planned -> times.see(planned.snapshot());
          }
        }
      }
    }
    return times.sums();
  }

  private static ShadowTrial of(
      String source,
      List<String> assumed,
      LoggedTraffic traffic,
      List<PlayedWorkload> byBerth,
      GpuTimes.Sums observed,
      GpuTimes.Sums played) {
    var perQueue = new TreeMap<QueueName, List<Pair>>();
    var all = new ArrayList<Pair>();
    for (PlayedWorkload each : byBerth) {
      var pair = new Pair(observed(each.logged()), each);
      all.add(pair);
      perQueue.computeIfAbsent(each.logged().group().queue(), _ -> new ArrayList<>()).add(pair);
    }
    return new ShadowTrial(
        source,
        assumed,
        perQueue.entrySet().stream()
            .map(each -> QueueEffect.of(each.getKey().value(), each.getValue(), NEAR))
            .toList(),
        QueueEffect.of("", all, NEAR),
        all,
        observed,
        played,
        traffic.span(),
        traffic.leftOut());
  }

  /// A gang has started once as many of its pods have a place as it needs.
  private static PlayedWorkload observed(LoggedWorkload logged) {
    var tasks = logged.tasks().stream().map(LoggedTask::observed).toList();
    return new PlayedWorkload(
        logged,
        logged.ranBefore() ? logged.arrived() : logged.full(),
        tasks.stream().mapToInt(LoggedTask.Observed::evictions).sum(),
        0,
        tasks.stream().mapToDouble(LoggedTask.Observed::gpuMillis).sum(),
        tasks.stream().anyMatch(LoggedTask.Observed::runsOn));
  }

  /// Evictions by Berth after which consolidation had a place for the pod elsewhere.
  int moves() {
    return pairs.stream().mapToInt(pair -> pair.after().moves()).sum();
  }

  /// Workloads that still ran at the end on either side.
  long cut() {
    return pairs.stream().filter(each -> each.before().isCut() || each.after().isCut()).count();
  }

  /// How long it waited, or has waited by the end, or until it was deleted.
  Duration waited(PlayedWorkload played) {
    var withdrawn = played.logged().withdrawn();
    var last = withdrawn.isBefore(span.end()) ? withdrawn : span.end();
    var until = played.hasStarted() ? played.started() : last;
    return Duration.between(played.logged().arrived(), until);
  }

  /// Workloads that were deleted before they ran.
  long withdrawn() {
    return pairs.stream()
        .filter(pair -> !pair.before().logged().withdrawn().equals(Instant.MAX))
        .count();
  }

  /// Those whose waits differ most, the largest difference first.
  List<Pair> mostDifferent() {
    return pairs.stream()
        .filter(pair -> !pair.before().logged().ranBefore())
        .filter(pair -> difference(pair).compareTo(NEAR) > 0)
        .sorted(Comparator.comparing(this::difference).reversed())
        .limit(MOST_LISTED)
        .collect(Collectors.toList());
  }

  private Duration difference(Pair pair) {
    return waited(pair.before()).minus(waited(pair.after())).abs();
  }

  /// Thousandths of GPUs that all pods of a workload ask for.
  static long gpuMillis(LoggedWorkload logged) {
    return logged.tasks().stream().mapToLong(task -> GpuTimes.asked(task.offered())).sum();
  }
}
