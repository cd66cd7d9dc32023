package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.replay.LogEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadTracesTest {
  @TempDir private Path folder = Path.of("");

  private List<Snapshot> looks() throws Exception {
    var looks = new ArrayList<Snapshot>();
    for (Path file : DecisionFolder.files(folder)) {
      try (var reader = new DecisionFileReader(file)) {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          if (next.get() instanceof LogEntry.Accounted(var snapshot)) {
            looks.add(snapshot);
          }
        }
      }
    }
    return looks;
  }

  /// The second of its pods waits.
  private static PodGroup half(PodGroup gang) {
    var second = gang.members().getLast();
    return gang.of(
        List.of(
            gang.members().getFirst(),
            new Member(second.pod(), new Standing.Waiting(), second.vetoes())));
  }

  /// Another scheduler than Berth may bind the pods of a gang one by one.
  @Test
  void aGangHasStartedOnceAsManyOfItsPodsAreBoundAsItNeeds() throws Exception {
    new LoggedTrace(2)
        .queue("a", 16, Queue.UNLIMITED)
        .job("a", 1, 0, 10)
        .job("a", 16, 30, 1000)
        .looks(folder, 130, 60);
    var looks = looks();
    var none = looks.get(0).of(looks.get(0).nodes(), looks.get(0).queues(), List.of());
    var both = looks.get(2);
    assertThat(both.groups()).hasSize(1);
    var one = looks.get(1).of(both.nodes(), both.queues(), List.of(half(both.groups().getFirst())));
    var traces = new WorkloadTraces();
    traces.see(Snapshot.empty(Instant.MIN), none, true);
    traces.see(none, one, false);
    traces.see(one, both, false);
    assertThat(traces.workloads(both.now()))
        .singleElement()
        .satisfies(gang -> {
          assertThat(gang.group().spec().minMember()).isEqualTo(2);
          assertThat(gang.started()).isEqualTo(one.now());
          assertThat(gang.full()).isEqualTo(both.now());
        });
    var cut = new WorkloadTraces();
    cut.see(Snapshot.empty(Instant.MIN), none, true);
    cut.see(none, one, false);
    assertThat(cut.workloads(one.now()).getFirst().full()).isEqualTo(Instant.MAX);
  }
}
