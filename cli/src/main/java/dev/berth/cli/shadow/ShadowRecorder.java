package dev.berth.cli.shadow;

import dev.berth.controllers.client.ClientException;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.PlannerLog;
import dev.berth.simulator.scenario.ScenarioException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Reads the cluster again and again, and writes each snapshot. A read that fails is told and tried
/// again at the next turn. A read that takes long is followed by a pause as long.
public final class ShadowRecorder {
  private static final int MOST_TOLD = 1000; // sentences that are not told again

  private final Source source;
  private final PlannerLog log;
  private final LogEntry.Begin begin;
  private final InstantSource time;
  private final Consumer<String> told;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Set<String> known = new HashSet<>(); // looked up only
  private long snapshots;
  private long failures;

  /// Of what is recorded.
  public interface Source {
    ShadowReader.Reading read() throws ClientException, ScenarioException;
  }

  /// What was done.
  ///
  /// @param failures reads that failed
  public record Result(long snapshots, long failures) {}

  /// @param build the version of Berth
  /// @param told takes sentences for the user
  public ShadowRecorder(
      Source source,
      PlannerLog log,
      String build,
      PlannerSettings settings,
      InstantSource time,
      Consumer<String> told) {
    this.source = source;
    this.log = log;
    this.begin = new LogEntry.Begin(build, settings);
    this.time = time;
    this.told = told;
  }

  /// Ends [#run] soon. Any thread.
  public void stop() {
    stopped.countDown();
  }

  /// Runs until `end`, or until it is stopped.
  ///
  /// @param every from the beginning of a read to that of the next
  /// @throws ScenarioException where the settings cannot be used
  /// @throws ClientException where the first read is refused
  public Result run(Duration every, Instant end) throws ScenarioException, ClientException {
    while (stopped.getCount() > 0 && time.instant().isBefore(end)) {
      var began = time.instant();
      once(every);
      var took = Duration.between(began, time.instant());
      var left = every.minus(took);
      if (rests(left.compareTo(took) > 0 ? left : took)) {
        break;
      }
    }
    return new Result(snapshots, failures);
  }

  private void once(Duration every) throws ScenarioException, ClientException {
    try {
      var reading = source.read();
      reading.leftOut().stream().filter(this::isNew).forEach(told);
      if (snapshots == 0) {
        told.accept(sentence(reading));
      }
      if (log.mustBegin()) {
        log.add(begin);
      }
      log.add(new LogEntry.Accounted(reading.snapshot()));
      snapshots++;
    } catch (ClientException failed) {
      if (snapshots == 0 && failed.kind() == ClientException.Kind.REFUSED) {
        throw failed;
      }
      failures++;
      told.accept(
          failed.getMessage() + ": no snapshot of now; reads again in " + every.toSeconds() + "s");
    }
  }

  private boolean isNew(String sentence) {
    return known.size() < MOST_TOLD && known.add(sentence);
  }

  private static String sentence(ShadowReader.Reading reading) {
    var snapshot = reading.snapshot();
    long waiting = 0;
    long running = 0;
    for (PodGroup group : snapshot.groups()) {
      for (PodGroup.Member member : group.members()) {
        waiting += member.standing() instanceof Standing.Waiting ? 1 : 0;
        running += member.standing() instanceof Standing.Bound ? 1 : 0;
      }
    }
    return "first snapshot: "
        + Phrases.count(snapshot.nodes().size(), "node")
        + " with "
        + Phrases.count(gpus(snapshot), "GPU")
        + "; of the pods that ask for GPUs "
        + running
        + " run and "
        + waiting
        + " wait"
        + (reading.schedulers().isEmpty()
            ? ""
            : "; their schedulers: " + String.join(", ", reading.schedulers()));
  }

  private static int gpus(Snapshot snapshot) {
    return snapshot.nodes().stream().mapToInt(node -> node.node().accelerator().count()).sum();
  }

  /// @return whether it was stopped meanwhile
  private boolean rests(Duration pause) {
    try {
      return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
