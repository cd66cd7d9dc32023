package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.Queue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a play makes of workloads that ended in another way than all at once.
final class TrafficPlayTest {
  @TempDir private Path folder = Path.of("");

  private static LoggedTask ending(LoggedTask task, Duration run, Ending how) {
    return new LoggedTask(
        task.offered(),
        task.arrived(),
        task.first(),
        task.started(),
        run,
        how,
        task.cancelled(),
        task.observed());
  }

  /// One pod of a gang of two fails, so that the gang is below its minimum and the other is evicted
  /// a minute later; that one comes again.
  @Test
  void aGangOfWhichAPodFailedStartsAgainWithTheRest() throws Exception {
    new LoggedTrace(2)
        .queue("a", 16, Queue.UNLIMITED)
        .job("a", 16, 0, 1000)
        .job("a", 1, 9000, 10) // by which the log goes on
        .log(folder, 10_000);
    var logged = TrafficReader.read(DecisionFolder.files(folder));
    var gang = logged.workloads().getFirst();
    var tasks =
        List.of(
            ending(gang.tasks().getFirst(), Duration.ofSeconds(100), Ending.FAILED),
            ending(gang.tasks().getLast(), Duration.ofSeconds(1000), Ending.SUCCEEDED));
    var failing =
        new LoggedWorkload(
            gang.group(), gang.arrived(), gang.ranBefore(), gang.started(), gang.full(), tasks);
    var traffic =
        new LoggedTraffic(
            logged.settings(),
            logged.usage(),
            logged.events(),
            logged.queues(),
            List.of(failing),
            logged.span(),
            logged.leftOut());
    var played = TrafficPlay.play(traffic, Collections.emptySortedMap()).getFirst();
    assertThat(played.evictions()).isEqualTo(1);
    assertThat(played.isCut()).as("it runs at the end").isFalse();
    double seconds = played.gpuMillis() / 8000 / 1000;
    assertThat(seconds)
        .as("100 of the first, 160 and 1000 of the second")
        .isBetween(1250.0, 1270.0);
  }
}
