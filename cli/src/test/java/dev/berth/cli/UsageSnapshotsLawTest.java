package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.cli.usage.QuotaPosition;
import dev.berth.cli.usage.UsageDimension;
import dev.berth.cli.usage.UsageReader;
import dev.berth.cli.usage.UsageWindow;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.simulator.chaos.ChaosRun;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// GPU-hours beside a simple count: what the planner charges for each pod of each snapshot, times
/// the time to the next one. The logs are of several processes with faults and changes of the
/// leader, on GPUs that are whole, shared, partitioned and claimed.
class UsageSnapshotsLawTest {
  @TempDir private Path folder = Path.of("");

  /// What the planner charges for a pod that is bound.
  ///
  /// @param started as its status says
  private record Charged(GroupKey workload, QueueName queue, long millis, Instant started) {}

  private static Map<PodUid, Charged> charged(Snapshot snapshot, PlannerSettings settings) {
    var charged = new HashMap<PodUid, Charged>();
    var session = Session.over(snapshot, settings.defaultQueue());
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        var standing = seat.member().standing();
        if (standing instanceof Standing.Leaving || standing instanceof Standing.Bound) {
          var charges = session.charges();
          long millis =
              Stream.of(charges.now(seat), charges.untilAsked(seat), charges.untilGone(seat))
                  .mapToLong(charge -> charge.of(session.queues().gpu()))
                  .max()
                  .orElse(0);
          if (millis > 0) {
            charged.put(
                seat.pod().uid(),
                new Charged(
                    group.key(),
                    snapshot.group(group.key()).orElseThrow().queue(),
                    millis,
                    seat.pod().life().started()));
          }
        }
      }
    }
    return charged;
  }

  private void log(long seed) throws Exception {
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var factory =
          SimulatedReplica.replicaFactory(settings -> Wiring.policy(settings, log.ofPlanner()));
      var _ = ChaosRun.run(seed, factory, _ -> {});
    }
  }

  /// Adds up one snapshot after the other.
  private static final class SimpleCount {
    private PlannerSettings settings = PlannerSettings.DEFAULT;
    private boolean begins;
    private Optional<Snapshot> last = Optional.empty();
    private Map<PodUid, Charged> before = new HashMap<>();
    private long total;
    private int snapshots;

    void see(LogEntry entry) {
      switch (entry) {
        case LogEntry.Begin(_, PlannerSettings told) -> {
          settings = told;
          begins = true;
        }
        case LogEntry.Accounted(var snapshot) -> see(snapshot);
        case LogEntry.Planned planned -> see(planned.snapshot());
      }
    }

    private void see(Snapshot now) {
      var previous = last.orElse(now);
      if (now.now().isBefore(previous.now())) {
        return;
      }
      var held = charged(now, settings);
      isAsThePlannerCharges(now, settings, held);
      var span = Duration.between(previous.now(), now.now());
      boolean isGap =
          begins
              && span.isPositive()
              && (now.version() < previous.version() || span.compareTo(Duration.ofMinutes(1)) > 0);
      long end = now.now().toEpochMilli();
      before.forEach((uid, pod) -> {
        if (!isGap || held.containsKey(uid)) {
          total += pod.millis * (end - previous.now().toEpochMilli());
        }
      });
      held.forEach((uid, pod) -> {
        if (!before.containsKey(uid)
            && pod.started.isAfter(previous.now())
            && pod.started.isBefore(now.now())) {
          total += pod.millis * (end - pod.started.toEpochMilli());
        }
      });
      before = held;
      last = Optional.of(now);
      begins = false;
      snapshots++;
    }
  }

  /// Of each workload, and what queues hold beyond their quota.
  private static void isAsThePlannerCharges(
      Snapshot now, PlannerSettings settings, Map<PodUid, Charged> charged) {
    var workloads = new TreeMap<GroupKey, Long>();
    var queues = new TreeMap<QueueName, Long>();
    charged
        .values()
        .forEach(pod -> {
          workloads.merge(pod.workload, pod.millis, Long::sum);
          queues.merge(pod.queue, pod.millis, Long::sum);
        });
    var held = new TreeMap<GroupKey, Long>();
    var over = new TreeMap<QueueName, Long>();
    QuotaPosition.of(now, settings)
        .forEach((workload, position) -> {
          if (position.millis() > 0) {
            held.put(workload, position.millis());
            over.merge(position.queue(), position.overQuota(), Long::sum);
          }
        });
    assertThat(held).as("at %s", now.now()).isEqualTo(workloads);
    queues.forEach((queue, millis) -> {
      long quota = now.queue(queue).map(it -> it.quota().of(Resource.GPU)).orElse(0L);
      long beyond = over.getOrDefault(queue, 0L);
      if (settings.poolLabel().isEmpty()) {
        assertThat(beyond).as("%s at %s", queue, now.now()).isEqualTo(Math.max(0, millis - quota));
      } else {
        assertThat(beyond).isBetween(0L, millis);
      }
    });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void theSumIsThatOfASimpleCount(long seed) throws Exception {
    log(seed);
    var count = new SimpleCount();
    var files = DecisionFolder.files(folder);
    for (Path file : files) {
      try (var entries = new DecisionFileReader(file)) {
        for (var next = entries.next(); next.isPresent(); next = entries.next()) {
          count.see(next.get());
        }
      }
    }
    assertThat(count.snapshots).isGreaterThan(20);
    assertThat(count.total).isPositive();
    var usage = UsageReader.read(files, UsageWindow.ALL, UsageDimension.parse("queue"));
    assertThat(usage.all().amounts().allocated()).isEqualTo(count.total);
  }
}
