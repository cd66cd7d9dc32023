package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// Trees that none of those that read objects lets through: counted, looked after and planned they
/// cost no more than their length.
@Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
final class HostileTreesTest {
  private final Told told = new Told();

  @BeforeEach
  void begin() {
    told.nodes(8, "a");
  }

  @Test
  void ofEqualNamesTheFirstCounts() {
    var spec = tree(sub("a", "", 2), sub("a", "a", 5), sub("", "", 1), sub("b", "", 1));
    assertThat(spec.required()).isEqualTo(3);
    assertThat(spec.children().values()).containsExactly(List.of(sub("a", "", 2), sub("b", "", 1)));
    runs(spec, "a");
    assertThat(reasons()).isEmpty();
  }

  /// 9 to the power of 9 ways lead down.
  @Test
  void equalNamesOnEveryLevelAreLookedAtOnce() {
    var all = new ArrayList<SubGroup>();
    for (int level = 0; level < 9; level++) {
      for (int copy = 0; copy < 9; copy++) {
        all.add(sub("l" + level, level == 0 ? "" : "l" + (level - 1), 1));
      }
    }
    var spec = tree(all.toArray(SubGroup[]::new));
    assertThat(spec.required()).isEqualTo(1);
    runs(spec, "l8");
    assertThat(reasons()).isEmpty();
  }

  @Test
  void aCircleIsToldAndNeedsNothing() {
    var spec = tree(sub("a", "b", 1), sub("b", "a", 1), sub("c", "", 2));
    assertThat(spec.required()).isEqualTo(2);
    told.ledger.record(new Fact.GroupSeen(spec));
    told.sees(pod("p").group("g").subGroup("c").gpus(1));
    assertThat(reasons())
        .singleElement()
        .isInstanceOfSatisfying(
            Reason.BadRequest.class,
            bad -> assertThat(bad.problem().field()).isEqualTo("spec.subGroups.parent"));
  }

  @Test
  void theSumOfMinimaIsNeverBelowZero() {
    int most = Integer.MAX_VALUE;
    assertThat(tree(sub("a", "", most), sub("b", "", most)).required()).isEqualTo(most);
  }

  private void runs(GroupSpec spec, String subGroup) {
    told.ledger.record(new Fact.GroupSeen(spec));
    told.sees(pod("p").group("g").subGroup(subGroup).gpus(1).on("a").startedAt(Sketch.START));
  }

  private List<Reason> reasons() {
    var snapshot = told.ledger.snapshot(Sketch.SOON);
    return new Planner(PlannerSettings.DEFAULT)
        .plan(snapshot).decisions().stream()
            .filter(decision -> decision instanceof Decision.Wait)
            .map(decision -> ((Decision.Wait) decision).reason())
            .toList();
  }

  private static GroupSpec tree(SubGroup... subGroups) {
    return group("g", 0).withSubGroups(List.of(subGroups));
  }

  private static SubGroup sub(String name, String parent, int minimum) {
    return new SubGroup(name, parent, minimum, 0, TopologyAsk.NONE);
  }
}
