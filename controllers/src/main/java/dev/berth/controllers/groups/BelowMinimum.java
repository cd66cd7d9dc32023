package dev.berth.controllers.groups;

import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.PodGroupStatus.Members;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A group that lost members and has too few left.
final class BelowMinimum {
  static final String CODE = "BelowMinimum";

  /// The condition that says so.
  static final String STALE = "Stale";

  /// Its reason once all members are over.
  static final String ENDED = "EndedBelowMinimum";

  private BelowMinimum() {}

  private static String when(Instant end) {
    String over = "its staleness grace is over";
    return end.equals(Instant.EPOCH)
        ? "when " + over
        : "at " + end.truncatedTo(ChronoUnit.SECONDS) + ", when " + over;
  }

  /// When the members that are left are evicted: at the end of the staleness grace.
  ///
  /// @param since when it fell below its minimum; `EPOCH` = that is not known
  /// @param byDefault the grace of groups that say nothing
  /// @return `MAX` = not by that; `EPOCH` = that is not known
  static Instant end(PodGroup group, Instant since, Duration byDefault) {
    var grace = group.spec().patience().stalenessGraceOr(byDefault);
    if (grace.isNegative()) {
      return Instant.MAX;
    }
    return since.equals(Instant.EPOCH) ? Instant.EPOCH : since.plus(grace);
  }

  /// Whether a group all of whose members are over was below its minimum until then.
  ///
  /// @param before the conditions of its last status
  static boolean isEnd(List<Condition> before) {
    return before.stream()
        .anyMatch(
            each -> each.type().equals(STALE) && (each.status() || each.reason().equals(ENDED)));
  }

  /// @param byDefault the grace of groups that say nothing
  static String ended(PodGroup group, Duration byDefault) {
    return "It was below its minimum when the last of its pods ended"
        + (group.spec().patience().stalenessGraceOr(byDefault).isNegative()
            ? "."
            : ": what is left of such a group is evicted when its staleness grace is over.");
  }

  /// The same after another sentence; empty where that is not so.
  static String ofEnd(List<Condition> conditions) {
    return conditions.stream()
        .filter(each -> each.reason().equals(ENDED))
        .map(each -> " " + each.message())
        .findFirst()
        .orElse("");
  }

  /// Of one that is not stale, since the pods that it lacks are expected: what is left of it, and
  /// what comes.
  static String forNow(PodGroup group, Members members, MemberCounts counts) {
    int moved = group.spec().run().awaited();
    String head =
        members.running() + " of its members run and it needs " + members.required() + ": ";
    if (moved > 0) {
      return head
          + moved
          + (moved == 1 ? " was moved and starts" : " were moved and start")
          + " again elsewhere once the controller of its pods has created "
          + (moved == 1 ? "it" : "them")
          + " anew; the others run on meanwhile. Helps: nothing to do if it is a Job or another"
          + " workload, else the same pods once more.";
    }
    return head
        + (counts.leaving() == 0
            ? ""
            : counts.leaving() + (counts.leaving() == 1 ? " leaves, and " : " leave, and "))
        + "the others run on until pods that replace those that left are there. Helps: nothing to"
        + " do if it is a Job or another workload, else the same pods once more.";
  }

  /// What a member that waits says of those that run.
  ///
  /// @param end `MAX` = they are not evicted
  /// @return a sentence; empty where nothing ends
  static String besides(PodGroup group, Instant end) {
    return end.equals(Instant.MAX)
        ? ""
        : MemberCounts.of(group).running()
            + " of its members run and it needs "
            + group.spec().required()
            + ": those that are left are evicted "
            + when(end)
            + ".";
  }

  /// What is left of it, what comes, and what helps.
  static String sentence(PodGroup group, Members members, Instant end) {
    var lacking = lacking(group);
    int missing =
        Math.max(
            Math.max(1, lacking.stream().mapToInt(Lacking::missing).min().orElse(1)),
            members.required() - members.running());
    return members.running()
        + " of its members run and "
        + (members.failed() == 0 ? "" : members.failed() + " failed, but ")
        + "it needs "
        + members.required()
        + (lacking.isEmpty() ? "" : ", by sub-group: " + Lacking.list(lacking))
        + (end.equals(Instant.MAX)
            ? ": those that are left run on. "
            : ": those that are left are evicted " + when(end) + ". ")
        + (members.failed() == 0 ? "" : "See why they failed: kubectl describe pod. ")
        + "Helps: "
        + missing
        + (missing == 1 ? " more pod" : " more pods")
        + " that can start"
        + (members.running() == 0 || !lacking.isEmpty()
            ? "."
            : ", or a minimum of " + members.running() + ".");
  }

  /// Sub-groups of which too few run, in their order; empty without sub-groups.
  private static List<Lacking> lacking(PodGroup group) {
    var running = new TreeMap<String, Integer>();
    for (var member : group.members()) {
      boolean counts =
          member.standing().endedWell()
              || (member.standing() instanceof Standing.Bound
                  && member.pod().life().phase() == Pod.Phase.RUNNING);
      running.merge(member.pod().belonging().subGroup(), counts ? 1 : 0, Integer::sum);
    }
    var lacking = new ArrayList<Lacking>();
    for (var each : group.spec().subGroups()) {
      int here = running.getOrDefault(each.name(), 0);
      if (here < each.minMember()) {
        lacking.add(new Lacking(each.name(), here, each.minMember()));
      }
    }
    return lacking;
  }

  /// @param running members that run or have completed
  private record Lacking(String subGroup, int running, int needed) {
    private static final int NAMED = 3;

    int missing() {
      return needed - running;
    }

    static String list(List<Lacking> all) {
      String named =
          all.stream()
              .limit(NAMED)
              .map(each -> each.subGroup + " has " + each.running + " of " + each.needed)
              .collect(Collectors.joining(", "));
      return all.size() <= NAMED ? named : named + " and " + (all.size() - NAMED) + " more";
    }
  }
}
