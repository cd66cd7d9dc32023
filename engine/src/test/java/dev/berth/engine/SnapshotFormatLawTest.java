package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.format.FormatException;
import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A snapshot that was written and read is the same, and plans the same.
class SnapshotFormatLawTest {
  private static final ValueFormat<Snapshot> SNAPSHOTS = new ValueFormat<>(Snapshot.class);
  private static final ValueFormat<Plan> PLANS = new ValueFormat<>(Plan.class);
  private static final ValueFormat<PlannerSettings> SETTINGS =
      new ValueFormat<>(PlannerSettings.class);

  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSnapshotIsReadAsItWasWritten(long seed) throws FormatException {
    same(seed, Worlds.random(seed).snapshot());
    same(seed, Contests.random(seed).snapshot());
  }

  private static void same(long seed, Snapshot snapshot) throws FormatException {
    var bytes = SNAPSHOTS.bytes(snapshot);
    var read = SNAPSHOTS.read(bytes);
    assertThat(read).isEqualTo(snapshot);
    assertThat(SNAPSHOTS.bytes(read)).isEqualTo(bytes);
    var settings = SETTINGS.read(SETTINGS.bytes(Settings.of(seed)));
    assertThat(settings).isEqualTo(Settings.of(seed));
    var plan = new Planner(settings).plan(read);
    assertThat(plan).isEqualTo(Settings.planner(seed).plan(snapshot));
    assertThat(PLANS.read(PLANS.bytes(plan))).isEqualTo(plan);
  }
}
