package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Obstacle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// What must come of a plan. Each expectation consumes its decision, of which there is one for each
/// group, besides that it gives room back; [#andNothingElse] closes the list.
public final class Expectations {
  private final TreeMap<GroupKey, Decision> left = new TreeMap<>();
  private final TreeMap<GroupKey, Decision.Withdraw> withdrawn = new TreeMap<>();
  private final List<String> order = new ArrayList<>();

  /// The victims: the name of the group, once for each pod.
  public record Taking(Cause cause, List<String> groups) {}

  public static Taking byTaking(Cause cause, String... groups) {
    return new Taking(cause, List.of(groups).stream().sorted().toList());
  }

  private final Instant nextLook;
  private final List<String> minRuntimeWaits;

  public Expectations(Plan plan) {
    minRuntimeWaits = plan.minRuntimeWaits().stream().map(wait -> wait.group().name()).toList();
    nextLook = plan.nextLook();
    for (Decision decision : plan.decisions()) {
      var before =
          decision instanceof Decision.Withdraw withdraw
              ? withdrawn.put(decision.group(), withdraw)
              : left.put(decision.group(), decision);
      assertThat(before == null).as(() -> "two decisions on " + decision.group()).isTrue();
      order.add(decision.group().name());
    }
  }

  private Decision take(String group) {
    var decision = left.remove(Cluster.key(group));
    if (decision == null) {
      return fail("nothing was decided on " + group + ", only " + left);
    }
    return decision;
  }

  /// It has no victims.
  private Reserve takeReserve(String group) {
    var reserve = takeReserveWithVictims(group);
    assertThat(reserve.victims()).as(group + " takes from somebody").isEqualTo(List.of());
    return reserve;
  }

  private Reserve takeReserveWithVictims(String group) {
    var decision = take(group);
    return decision instanceof Reserve reserve
        ? reserve
        : fail(group + " was to be placed, but " + decision);
  }

  /// So many members get a place, and these leave for them.
  public Expectations reserves(String group, int members, Taking taking) {
    var reserve = takeReserveWithVictims(group);
    assertThat(all(reserve).size()).as(group + ": members with a place").isEqualTo(members);
    leave(reserve, taking);
    return this;
  }

  /// As [#reserves(String, String...)], and these leave for them.
  public Expectations reserves(String group, List<String> places, Taking taking) {
    var reserve = takeReserveWithVictims(group);
    assertThat(places(reserve)).as(group).isEqualTo(places.stream().sorted().toList());
    leave(reserve, taking);
    return this;
  }

  private static void leave(Reserve reserve, Taking taking) {
    var leaving = new ArrayList<String>();
    for (Victim victim : reserve.victims()) {
      assertThat(victim.cause()).as(victim.toString()).isEqualTo(taking.cause);
      assertThat(victim.beneficiary()).as(victim.toString()).isEqualTo(reserve.group());
      leaving.add(victim.pod().name().replaceAll("-1\\d{5}$", ""));
    }
    leaving.sort(null);
    assertThat(leaving).as("for " + reserve.group().name() + " leave").isEqualTo(taking.groups);
  }

  /// One that leaves for a preemptor is placed again there, in the same plan. The rest of that plan
  /// is another expectation.
  public Expectations moves(String group, String to, String preemptor) {
    var again = new ArrayList<String>();
    if (left.get(Cluster.key(preemptor)) instanceof Reserve reserve) {
      for (Victim victim : reserve.victims()) {
        if (victim.pod().name().startsWith(group + "-")) {
          again.add(victim.again().node().value());
        }
      }
    }
    assertThat(again).as(group + " is placed again").isEqualTo(List.of(to));
    return this;
  }

  /// It loses the plan that it had; what becomes of it is another decision.
  public Expectations withdraws(String group, int members) {
    var decision = withdrawn.remove(Cluster.key(group));
    assertThat(decision != null && decision.plans().size() == members)
        .as(() -> group + " was to be withdrawn, but " + decision)
        .isTrue();
    return this;
  }

  /// They lose their plans to `to`, or to no group that precedes them where that is empty.
  public Expectations withdraws(String group, int members, String to) {
    var decision = withdrawn.get(Cluster.key(group));
    assertThat(decision == null ? Decision.Loss.WITH_MEMBERS : decision.loss())
        .as(() -> group + " loses its room")
        .isEqualTo(to.isEmpty() ? Decision.Loss.OF_ITSELF : Decision.Loss.to(Cluster.key(to)));
    return withdraws(group, members);
  }

  /// Decisions come in this order.
  public Expectations inOrder(String... groups) {
    assertThat(order).as("order of decisions").isEqualTo(List.of(groups));
    return this;
  }

  /// So many members get a place.
  public Expectations reserves(String group, int members) {
    assertThat(all(takeReserve(group)).size())
        .as(group + ": members with a place")
        .isEqualTo(members);
    return this;
  }

  /// One member after the other gets these nodes, `n1` or with slots `n1:0,2`, in any order.
  public Expectations reserves(String group, String... places) {
    assertThat(places(takeReserve(group)))
        .as(group)
        .isEqualTo(List.of(places).stream().sorted().toList());
    return this;
  }

  public Expectations reserves(String group, int block, int surplus) {
    var reserve = takeReserve(group);
    assertThat(reserve.block().size()).as(group + ": members of the block").isEqualTo(block);
    assertThat(reserve.surplus().size()).as(group + ": surplus members").isEqualTo(surplus);
    return this;
  }

  /// All members get places on one node.
  public Expectations reservesOnOneNode(String group, int members) {
    var reserve = takeReserve(group);
    assertThat(all(reserve).size()).as(group + ": members with a place").isEqualTo(members);
    assertThat(all(reserve).stream().map(each -> each.placement().node()).distinct().count())
        .as(() -> group + " was to be on one node: " + places(reserve))
        .isEqualTo(1);
    return this;
  }

  /// So many members get a place, for which so many pods of others leave.
  public Expectations reservesTaking(String group, int members, Decision.Cause cause, int victims) {
    var reserve = takeReserveWithVictims(group);
    assertThat(all(reserve).size()).as(group + ": members with a place").isEqualTo(members);
    assertThat(reserve.victims().stream().filter(victim -> victim.cause() == cause).count())
        .as(group + ": who leaves for it")
        .isEqualTo(victims);
    return this;
  }

  /// What is free is compared only where it is expected.
  public Expectations waits(String group, Reason reason) {
    var wait = takeWait(group).reason();
    boolean isTold = reason instanceof Reason.NoRoom room && !room.free().equals(Free.UNTOLD);
    assertThat(isTold ? wait : untold(wait)).as(group).isEqualTo(reason);
    return this;
  }

  private static Reason untold(Reason reason) {
    return switch (reason) {
      case Reason.NoRoom room -> untold(room);
      case Reason.OverLimit over ->
          over.of(Reason.AskingMembers.ALL).besides(ofQueues(over.besides()));
      case Reason.NonPreemptibleOverQuota over ->
          over.of(Reason.AskingMembers.ALL).besides(ofQueues(over.besides()));
      case Reason.NothingToTakeBack(var room, var queue) ->
          new Reason.NothingToTakeBack(untold(room), queue);
      case Reason.VictimsProtected(var room, int groups, var until) ->
          new Reason.VictimsProtected(untold(room), groups, until);
      case Reason.BudgetsForbid forbid ->
          new Reason.BudgetsForbid(
              untold(forbid.room()),
              forbid.groups(),
              forbid.budgets(),
              forbid.notRead(),
              forbid.keeps(),
              forbid.spared());
      case Reason.PreemptionDelayed(var room, var until) ->
          new Reason.PreemptionDelayed(untold(room), until);
      case Reason.EvictionBackoff(var room, var backoff) ->
          new Reason.EvictionBackoff(untold(room), backoff);
      case Reason.NeverFits never ->
          new Reason.NeverFits(
              untold(never.room()),
              never.most(),
              never.largest(),
              never.apart(),
              false,
              never.besides());
      case Reason.MovesSpent(var room, var until) -> new Reason.MovesSpent(untold(room), until);
      case Reason.FairShareReached reached ->
          new Reason.FairShareReached(
              untold(reached.room()),
              reached.queue(),
              reached.resource(),
              reached.used(),
              reached.asked(),
              reached.share(),
              reached.quotaHelps());
      default -> reason;
    };
  }

  /// Whether there is room, too, is for [AdviceLawTest].
  private static List<Reason> ofQueues(List<Reason> besides) {
    return besides.stream()
        .filter(each -> !(each instanceof Reason.NoRoom))
        .map(Expectations::untold)
        .toList();
  }

  private static Reason.NoRoom untold(Reason.NoRoom room) {
    var shortfalls =
        room.shortfalls().stream().map(each -> each.wanting(Reason.Wanted.NONE).ready(0)).toList();
    return new Reason.NoRoom(room.members(), room.placed(), room.nodes(), shortfalls);
  }

  /// No others are told to wait for a min-runtime.
  public Expectations delaysByMinRuntime(String... groups) {
    assertThat(minRuntimeWaits).containsExactly(groups);
    return this;
  }

  /// Why it waits, to be looked at.
  public Reason reason(String group) {
    return takeWait(group).reason();
  }

  public Expectations waits(String group, Class<? extends Reason> kind) {
    var wait = takeWait(group);
    assertThat(kind.isInstance(wait.reason()))
        .as(() -> group + " was to wait with " + kind.getSimpleName() + ", but " + wait)
        .isTrue();
    return this;
  }

  /// No room, and no group has to free any for it.
  public Expectations waitsForRoom(String group) {
    var wait = takeWait(group);
    boolean forRoom =
        switch (wait.reason()) {
          case Reason.NoRoom _,
              Reason.FairShareReached _,
              Reason.NothingToTakeBack _,
              Reason.NeverPreempts _,
              Reason.BudgetsForbid _ ->
              true;
          default -> false;
        };
    assertThat(forRoom).as(() -> group + " was to wait for room, but " + wait).isTrue();
    return this;
  }

  /// The words in which it waits.
  public String tells(String group) {
    return Sentences.of(takeWait(group).reason());
  }

  /// It waits for room, and this stands in the way on most nodes.
  public Expectations waitsFor(String group, Obstacle obstacle) {
    var decision = take(group);
    var room =
        switch (decision) {
          case Decision.Wait(_, Reason.NoRoom none, _) -> none;
          case Decision.Wait(_, Reason.NeverFits never, _) -> never.room();
          default -> throw new AssertionError(group + " was to wait for room, but " + decision);
        };
    assertThat(room.shortfalls().getFirst().obstacle())
        .as(() -> group + " waits for room: " + decision)
        .isEqualTo(obstacle);
    return this;
  }

  /// All members get a place, and exactly these groups lose some for it.
  public Expectations reservesByTaking(String group, String... unplaced) {
    var taken = new TreeSet<String>();
    for (Decision.Victim victim : takeReserveWithVictims(group).victims()) {
      String pod = victim.pod().name();
      taken.add(pod.substring(0, pod.lastIndexOf('-')));
    }
    assertThat(taken)
        .as(() -> "who leaves for " + group)
        .isEqualTo(new TreeSet<>(List.of(unplaced)));
    return this;
  }

  /// It waits for this, behind `count` others, of which these are the first.
  public Expectations waitsBehind(
      String group, Class<? extends Reason> kind, int count, String... first) {
    var wait = takeWait(group);
    assertThat(kind.isInstance(wait.reason()))
        .as(() -> group + " was to wait with " + kind.getSimpleName() + ", but " + wait)
        .isTrue();
    var keys = List.of(first).stream().map(Cluster::key).toList();
    assertThat(wait.ahead())
        .as(group + ": who is ahead")
        .isEqualTo(new Decision.Ahead(keys, count));
    return this;
  }

  private Decision.Wait takeWait(String group) {
    return take(group) instanceof Decision.Wait wait
        ? wait
        : fail(group + " was to wait, but something else was decided");
  }

  public Expectations evicts(String group, int members) {
    var decision = take(group);
    assertThat(decision instanceof Decision.Evict(_, var victims) && victims.size() == members)
        .as(() -> group + " was to lose " + members + ", but " + decision)
        .isTrue();
    return this;
  }

  /// So many members get a place, for which these leave: `RECLAIM borrowed-100003`.
  public Expectations reserves(String group, int members, Cause cause, String... victims) {
    var reserve = takeReserveWithVictims(group);
    assertThat(all(reserve).size()).as(group + ": members with a place").isEqualTo(members);
    var leave = new ArrayList<String>();
    for (Victim victim : reserve.victims()) {
      leave.add(victim.cause() + " " + victim.pod().name());
    }
    leave.sort(null);
    var expected = new ArrayList<String>();
    for (String victim : victims) {
      expected.add(cause + " " + victim);
    }
    expected.sort(null);
    assertThat(leave).as(group + ": who leaves for it").isEqualTo(expected);
    return this;
  }

  public Expectations evicts(String group, Cause cause, int members) {
    var decision = take(group);
    assertThat(
            decision instanceof Decision.Evict(_, var victims)
                && victims.size() == members
                && victims.stream().allMatch(victim -> victim.cause() == cause))
        .as(() -> group + " was to lose " + members + " by " + cause + ", but " + decision)
        .isTrue();
    return this;
  }

  /// By itself another plan is due so much later.
  public Expectations looksAgainAfter(Duration time) {
    assertThat(nextLook).as("when the next plan is due").isEqualTo(Cluster.NOW.plus(time));
    return this;
  }

  public Expectations looksAgainNever() {
    assertThat(nextLook).as("when the next plan is due").isEqualTo(Instant.MAX);
    return this;
  }

  public void andNothingElse() {
    assertThat(left.isEmpty()).as(() -> "and nothing else, but also " + left.values()).isTrue();
    assertThat(withdrawn.isEmpty())
        .as(() -> "and nothing else, but also " + withdrawn.values())
        .isTrue();
  }

  public static List<Reserved> all(Reserve reserve) {
    var all = new ArrayList<>(reserve.block());
    all.addAll(reserve.surplus());
    return all;
  }

  public static List<String> places(Reserve reserve) {
    var places = new ArrayList<String>();
    for (Reserved each : all(reserve)) {
      var slots = each.placement().slots().toString().replaceAll("[\\[\\] ]", "");
      places.add(each.placement().node() + (slots.isEmpty() ? "" : ":" + slots));
    }
    places.sort(null);
    return places;
  }
}
