package dev.berth.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Contests;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.Seeds;
import dev.berth.engine.Settings;
import dev.berth.engine.Worlds;
import dev.berth.engine.fairness.OrderRule;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The order that is told is that in which the planner serves those that wait.
class PlaceInOrderLawTest {
  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  /// Nothing can be placed, so that nothing changes the order on the way.
  private static Snapshot cordoned(Snapshot world) {
    var nodes = new ArrayList<NodeView>();
    for (NodeView view : world.nodes()) {
      var node = view.node();
      nodes.add(
          new NodeView(
              new Node(
                  node.name(),
                  node.version(),
                  node.labels(),
                  node.taints(),
                  true,
                  node.ready(),
                  node.allocatable(),
                  node.accelerator()),
              view.used(),
              view.leaving(),
              view.foreign(),
              view.slots(),
              view.hostPorts(),
              view.trouble(),
              view.numa()));
    }
    return world.of(nodes, world.queues(), world.groups());
  }

  private static PlannerSettings settings(long seed) {
    return Settings.of(seed).withPools("");
  }

  /// As the actions of a round went through them.
  private static List<GroupKey> served(long seed, Snapshot snapshot) {
    var session = Settings.carriedOut(new Planner(settings(seed)), snapshot);
    var waiting =
        Session.forPlanning(snapshot, settings(seed).defaultQueue()).waiting().stream()
            .map(Group::key)
            .toList();
    return session.refused().stream().map(Group::key).filter(waiting::contains).toList();
  }

  private static List<GroupKey> told(PlaceInOrder place) {
    var told = new ArrayList<GroupKey>();
    place.before().forEach(each -> told.add(each.group().key()));
    told.add(place.group().key());
    return told;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderToldIsTheOneServed(long seed) {
    for (Snapshot world :
        List.of(Worlds.random(seed).snapshot(), Contests.random(seed).snapshot())) {
      var snapshot = cordoned(world);
      var served = served(seed, snapshot);
      for (int i = 0; i < served.size(); i++) {
        var place = PlaceInOrder.of(settings(seed), snapshot, served.get(i)).orElseThrow();
        assertThat(place.waiting()).isEqualTo(served.size());
        assertThat(told(place)).isEqualTo(served.subList(0, i + 1));
        place
            .before()
            .forEach(
                each -> assertThat(OrderText.of(each, place.group(), snapshot.now())).isNotEmpty());
      }
    }
  }

  /// Each number that is told is on the side that the rule says.
  @Test
  void theRuleToldIsTheOneThatDecides() {
    var rules = EnumSet.noneOf(OrderRule.class);
    for (long seed = 0; seed < 500; seed++) {
      var snapshot = cordoned(Contests.random(seed).snapshot());
      for (GroupKey key : served(seed, snapshot)) {
        var place = PlaceInOrder.of(settings(seed), snapshot, key).orElseThrow();
        place
            .before()
            .forEach(each -> {
              rules.add(each.rule());
              var its = each.its();
              var others = each.others();
              var first = each.group().group();
              boolean holds =
                  switch (each.rule()) {
                    case QUEUE_OVER_SHARE -> !its.over() && others.over();
                    case QUEUE_QUOTA -> its.withinQuota() && !others.withinQuota();
                    case QUEUE_PRIORITY -> its.priority() > others.priority();
                    case QUEUE_NO_SHARE -> its.clean() && !others.clean();
                    case SHARE_WITH -> its.with() < others.with();
                    case SHARE_WITHOUT -> its.without() < others.without();
                    case PRIORITY -> first.priority() > place.group().priority();
                    case AGE -> first.created().isBefore(place.group().created());
                    case ALLOCATABLE, QUEUE_AGE, QUEUE_NAME, PROGRESS, NAME -> true;
                  };
              assertThat(holds).as("%s: %s", key, each).isTrue();
              boolean sameQueue = its.queue().equals(others.queue());
              assertThat(sameQueue).isEqualTo(each.rule().compareTo(OrderRule.PRIORITY) >= 0);
            });
      }
    }
    assertThat(rules)
        .contains(OrderRule.QUEUE_QUOTA, OrderRule.SHARE_WITH, OrderRule.PRIORITY, OrderRule.AGE);
  }
}
