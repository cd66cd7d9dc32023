package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.engine.ledger.Ledger.Assumed;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class CycleTest {
  private static final GroupKey TRAIN = new GroupKey("default", "train");

  private final World world = new World().node("n1", 8);
  private final Instant start = world.workers.time().instant();
  private final TreeSet<GroupKey> stale = new TreeSet<>();
  private final List<SortedMap<GroupKey, Instant>> since = new ArrayList<>();
  private final Cycle cycle =
      new Cycle(
          world.ledger,
          new StaleThinker(),
          world,
          new NoHands(),
          outcome -> since.add(outcome.staleSince()),
          world.workers,
          CycleSettings.DEFAULT);

  @Test
  void aGraceThatRanBeforeTheStartGoesOn() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.minusSeconds(30)));
    stale.add(TRAIN);
    begin();
    assertThat(since.getLast()).containsEntry(TRAIN, start.minusSeconds(30));
    seconds(5);
    assertThat(since.getLast()).containsEntry(TRAIN, start.minusSeconds(30));
  }

  @Test
  void aGroupThatFallsLaterHasItsWholeGrace() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.minusSeconds(30)));
    begin();
    seconds(5);
    stale.add(TRAIN);
    world.node("n2", 8);
    seconds(1);
    assertThat(since.getLast().getOrDefault(TRAIN, Instant.EPOCH))
        .isAfterOrEqualTo(start.plusSeconds(5));
  }

  @Test
  void aTimeToComeOrNoTimeAtAllBeginsTheGraceNow() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.plusSeconds(3600)));
    world.group("other", 2, "staleSince: 'yesterday'");
    stale.add(TRAIN);
    stale.add(new GroupKey("default", "other"));
    begin();
    assertThat(since.getFirst().values())
        .hasSize(2)
        .allSatisfy(when -> assertThat(when).isBetween(start, start.plusSeconds(1)));
  }

  private void begin() {
    world.changed.add(cycle::changed);
    cycle.start();
    seconds(1);
  }

  private void seconds(int seconds) {
    world.workers.turn(Duration.ofSeconds(seconds));
  }

  private final class StaleThinker implements Cycle.Thinker {
    @Override
    public Plan plan(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
      return new Plan(snapshot.version(), snapshot.now(), List.of());
    }

    @Override
    public boolean isStale(PodGroup group) {
      return stale.contains(group.key());
    }
  }

  private static final class NoHands implements Cycle.Hands {
    @Override
    public void reserved(Decision.Reserve decision, List<Assumed> plans) {}

    @Override
    public void evict(List<Decision.Victim> victims) {}

    @Override
    public void lapsed(List<Assumed> plans) {}
  }
}
