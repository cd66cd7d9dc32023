package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a large group costs whose members are charged as two different things, in members that are
/// looked at.
class MixedGroupTest {
  private static final int EACH = 500;
  private static final int BETWEEN_SNAPSHOTS = 100;
  private static final Placement PLACE = Placement.on(Sketch.at("n"));

  private final GroupStates groups = new GroupStates(new ClusterDefaults(QueueName.NONE));
  private final List<PodRecord> members = new ArrayList<>();

  private void comes(String name, String queue) {
    var charge = new ChargedTo(new QueueName(queue), 50, Preemptibility.PREEMPTIBLE);
    var plan = new WrittenPlan(PLACE, "", 1, SOON, charge);
    var member = new PodRecord(pod(name).group("g").written(plan).on("n").made());
    groups.join(member, Optional.empty());
    groups.settle(member);
    members.add(member);
  }

  private void comeInTurns() {
    for (int i = 0; i < EACH; i++) {
      comes("a-" + i, "a");
      comes("b-" + i, "b");
    }
  }

  private void goes(PodRecord member) {
    groups.part(member, member.pod);
  }

  @Test
  void membersThatComeAreLookedAtOncePerSnapshot() {
    comeInTurns();
    assertThat(groups.list()).as("the group, and each of the others alone").hasSize(1 + EACH);
    assertThat(groups.sorted()).isEqualTo(2 * EACH);
    var _ = groups.list();
    assertThat(groups.sorted()).as("nothing changed").isEqualTo(2 * EACH);
  }

  /// As they leave in turns, now these are the most and now those.
  @Test
  void membersThatLeaveAreLookedAtOncePerSnapshot() {
    comeInTurns();
    var _ = groups.list();
    long before = groups.sorted();
    int snapshots = 0;
    for (int i = 0; i < 2 * EACH; i++) {
      goes(members.get(i));
      if (i % BETWEEN_SNAPSHOTS == 0) {
        var _ = groups.list();
        snapshots++;
      }
    }
    assertThat(groups.list()).isEmpty();
    assertThat(groups.sorted() - before).isLessThanOrEqualTo((snapshots + 1) * 2L * EACH);
  }

  @Test
  void podThatStandsAloneIsKnownBeforeAnySnapshot() {
    comes("a-0", "a");
    comes("a-1", "a");
    comes("b-0", "b");
    assertThat(members.getLast().account().single).as("alone").isTrue();
    goes(members.getFirst());
    comes("b-1", "b");
    comes("b-2", "b");
    assertThat(members.get(1).account().single).as("of the fewer").isTrue();
    assertThat(members.get(2).account().single).as("of the most").isFalse();
  }
}
