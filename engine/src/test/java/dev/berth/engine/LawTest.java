package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every plan, over random worlds.
class LawTest {
  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameSnapshotGivesTheSamePlan(long seed) {
    var planner = Settings.planner(seed);
    assertThat(planner.plan(Worlds.random(seed).snapshot()))
        .isEqualTo(planner.plan(Worlds.random(seed).snapshot()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfListsDoesNotMatter(long seed) {
    var snapshot = Worlds.random(seed).snapshot();
    var shuffled = Shuffled.of(snapshot, new Random(seed));
    var planner = Settings.planner(seed);
    assertThat(planner.plan(shuffled)).isEqualTo(planner.plan(snapshot));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aDroppedStatementLeavesNoTrace(long seed) {
    var session = Session.over(Worlds.random(seed).snapshot());
    var before = session.fingerprint();
    try (Statement statement = session.open()) {
      Worlds.scribble(session, statement, new Random(seed), 3);
    }
    assertThat(session.fingerprint()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsPromisedTwice(long seed) {
    var snapshot = Worlds.random(seed).snapshot();
    var loads = new TreeMap<NodeName, Load>();
    snapshot.nodes().forEach(room -> loads.put(room.name(), new Load(room)));
    var plan = Settings.planner(seed).plan(snapshot);
    for (Victim victim : victims(plan)) {
      if (standing(snapshot, victim.uid()) instanceof Standing.Bound(var placement)) {
        loads.get(placement.node()).remove(pod(snapshot, victim.uid()), placement);
      }
    }
    for (Reserved reserved : reserved(plan)) {
      loads.get(reserved.placement().node()).add(pod(snapshot, reserved.uid()), reserved);
    }
    loads.values().forEach(Load::holds);
  }

  /// One node, counted without the planner's tables.
  private static final class Load {
    private final NodeView room;
    private Amounts stays;
    private final TreeMap<Integer, Integer> slots = new TreeMap<>();
    private final TreeSet<Integer> vacant = new TreeSet<>();
    private final TreeSet<String> ports;

    Load(NodeView room) {
      this.room = room;
      stays = room.used().minus(room.leaving());
      ports = new TreeSet<>(room.hostPorts());
      for (NodeView.Slot slot : room.slots()) {
        int staying = slot.usedMillis() - slot.leavingMillis();
        slots.put(slot.index(), slot.isOpen() ? staying : 1001);
        if (slot.isOpen() && staying == 0) {
          vacant.add(slot.index());
          stays = stays.minus(holder());
        }
      }
    }

    private static Amounts holder() {
      return Amounts.of(Resource.PODS, 1).plus(Amounts.of(Resource.NVIDIA, 1));
    }

    void add(Pod pod, Reserved reserved) {
      assertThat(isAdmitted(pod))
          .as(() -> pod.key() + " is refused by the zones of " + room.name())
          .isTrue();
      stays = stays.plus(pod.asks().request().amounts()).plus(Amounts.of(Resource.PODS, 1));
      var mine = new TreeSet<>(reserved.placement().slots());
      assertThat(mine.size()).isEqualTo(pod.asks().request().devices().isShare() ? mine.size() : 0);
      for (int slot : mine) {
        if (!slots.containsKey(slot) || vacant.remove(slot)) {
          stays = stays.plus(holder());
        }
        slots.merge(slot, reserved.placement().millis(), Integer::sum);
      }
      for (String port : pod.asks().request().hostPorts()) {
        assertThat(ports.add(port)).as(() -> port + " twice on " + room.name()).isTrue();
      }
    }

    /// Pods of these worlds have one container, which asks for devices at most.
    private boolean isAdmitted(Pod pod) {
      long asked = pod.asks().request().alignment().pod().of(Resource.NVIDIA);
      long most = 0;
      long sum = 0;
      for (Numa.Zone zone : room.numa().zones()) {
        most = Math.max(most, zone.allocatable().of(Resource.NVIDIA));
        sum += zone.allocatable().of(Resource.NVIDIA);
      }
      return switch (room.numa().policy()) {
        case SINGLE_NUMA_NODE -> asked <= most;
        case RESTRICTED -> asked <= sum;
        case BEST_EFFORT, NONE -> true;
      };
    }

    void remove(Pod pod, Placement placement) {
      stays = stays.minus(pod.asks().request().amounts()).minus(Amounts.of(Resource.PODS, 1));
      for (int slot : placement.slots()) {
        int left = slots.merge(slot, -placement.millis(), Integer::sum);
        if (left == 0) {
          vacant.add(slot);
          stays = stays.minus(holder());
        }
      }
      ports.removeAll(pod.asks().request().hostPorts());
    }

    void holds() {
      assertThat(stays.fitsIn(room.node().allocatable()))
          .as(() -> room.name() + " has " + room.node().allocatable() + ", but promised " + stays)
          .isTrue();
      slots.forEach((slot, millis) ->
          assertThat(millis <= 1000 || room.slots().stream().anyMatch(each -> isClosed(each, slot)))
              .as(() -> room.name() + " slot " + slot + ": " + millis)
              .isTrue());
    }

    private static boolean isClosed(NodeView.Slot slot, int index) {
      return slot.index() == index && !slot.isOpen();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void gangsStartWholeOrNotAtAll(long seed) {
    var snapshot = Worlds.random(seed).snapshot();
    for (Decision decision : Settings.planner(seed).plan(snapshot).decisions()) {
      if (decision instanceof Reserve reserve) {
        var group = group(snapshot, reserve.group());
        var places = Expectations.all(reserve).stream().map(Reserved::uid).toList();
        var here = new TreeMap<String, Integer>();
        var come = new TreeSet<String>();
        for (PodGroup.Member member : group.members()) {
          boolean comes = places.contains(member.pod().uid());
          boolean counts =
              switch (member.standing()) {
                case Standing.Waiting() -> comes;
                case Standing.Planned _, Standing.Bound _ -> true;
                case Standing.Leaving _, Standing.Awaited _ -> false;
                case Standing.Over(boolean succeeded) -> succeeded;
              };
          var role = member.pod().belonging().subGroup();
          here.merge(role, counts ? 1 : 0, Integer::sum);
          if (comes) {
            come.add(role);
          }
        }
        if (group.spec().subGroups().isEmpty()) {
          assertThat(here.get("") >= group.spec().minMember())
              .as(() -> group.key() + " " + here)
              .isTrue();
        } else {
          assertThat(meets(group.spec(), "", here))
              .as(() -> group.spec() + " has " + here)
              .isTrue();
        }
        for (var sub : group.spec().subGroups()) {
          int has = here.getOrDefault(sub.name(), 0);
          boolean whole = has >= sub.minMember() || !come.contains(sub.name());
          assertThat(whole).as(() -> sub + " has " + here).isTrue();
        }
      }
    }
  }

  /// Whether a node of a tree meets its minimum.
  private static boolean meets(GroupSpec spec, String node, TreeMap<String, Integer> here) {
    int children = 0;
    int met = 0;
    for (var child : spec.subGroups()) {
      if (child.parent().equals(node)) {
        children++;
        met += meets(spec, child.name(), here) ? 1 : 0;
      }
    }
    for (var self : spec.subGroups()) {
      if (self.name().equals(node)) {
        return children == 0
            ? here.getOrDefault(node, 0) >= self.minMember()
            : met >= (self.minSubGroup() > 0 ? self.minSubGroup() : children);
      }
    }
    return met >= (spec.minSubGroup() > 0 ? spec.minSubGroup() : children);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyGroupThatWantsMoreHearsExactlyOneWord(long seed) {
    var snapshot = Worlds.random(seed).snapshot();
    var plan = Settings.planner(seed).plan(snapshot);
    var heard = new TreeSet<GroupKey>();
    plan.decisions()
        .forEach(each -> assertThat(heard.add(each.group())).as(each::toString).isTrue());
    for (PodGroup group : snapshot.groups()) {
      boolean waits =
          group.members().stream().anyMatch(each -> each.standing() instanceof Standing.Waiting);
      assertThat(heard.contains(group.key()))
          .as(() -> group.key() + " in " + plan)
          .isEqualTo(waits);
    }
  }

  private static List<Victim> victims(Plan plan) {
    var all = new ArrayList<Victim>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Reserve reserve -> all.addAll(reserve.victims());
        case Decision.Evict evict -> all.addAll(evict.victims());
        case Decision.Wait _, Decision.Withdraw _ -> {}
      }
    }
    return all;
  }

  private static List<Reserved> reserved(Plan plan) {
    var all = new ArrayList<Reserved>();
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Reserve reserve) {
        all.addAll(Expectations.all(reserve));
      }
    }
    return all;
  }

  private static Pod pod(Snapshot snapshot, PodUid uid) {
    return member(snapshot, uid).pod();
  }

  private static Standing standing(Snapshot snapshot, PodUid uid) {
    return member(snapshot, uid).standing();
  }

  private static PodGroup.Member member(Snapshot snapshot, PodUid uid) {
    for (PodGroup group : snapshot.groups()) {
      for (PodGroup.Member member : group.members()) {
        if (member.pod().uid().equals(uid)) {
          return member;
        }
      }
    }
    throw new AssertionError("a decision on nobody: " + uid);
  }

  private static PodGroup group(Snapshot snapshot, GroupKey key) {
    return snapshot.groups().stream()
        .filter(group -> group.key().equals(key))
        .findFirst()
        .orElseThrow();
  }
}
