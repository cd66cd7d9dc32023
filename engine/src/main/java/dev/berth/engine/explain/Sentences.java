package dev.berth.engine.explain;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.ObjectNames;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.OverLimit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A reason as one text for users: the cause with its numbers, what would help, the groups ahead.
public final class Sentences {
  private Sentences() {}

  public static String of(Reason reason) {
    return "Waits: " + what(reason) + ". Helps: " + help(reason) + ".";
  }

  /// Of what is wrong with an object that waits for nothing itself, such as a queue.
  public static String ofFlaw(Reason reason) {
    String what = what(reason);
    return Character.toUpperCase(what.charAt(0))
        + what.substring(1)
        + (". Helps: " + help(reason) + ".");
  }

  /// @param ahead the groups before it that wait for the same
  public static String of(Reason reason, Ahead ahead) {
    if (ahead.count() == 0) {
      return of(reason);
    }
    var names = new ArrayList<String>();
    ahead.first().forEach(key -> names.add(key.name()));
    int unnamed = ahead.count() - names.size();
    String more = unnamed > 0 ? " and " + unnamed + " more" : "";
    return of(reason) + " Ahead: " + String.join(", ", names) + more + ".";
  }

  private static String what(Reason reason) {
    return switch (reason) {
      case Reason.BadRequest(var object, var problem) ->
          Phrases.withoutFullStop(problem.on(object));
      case Reason.NoSuchQueue(var queue, var near) ->
          queue.isNone()
              ? "it names no queue"
              : "there is no queue "
                  + queue
                  + (near.isNone() ? "" : " (did you mean " + near + "?)");
      case Reason.NotALeaf(var queue, var child) ->
          "queue " + queue + " has queues below it, like " + child + ", and takes no workloads";
      case Reason.BrokenQueue(var queue, var at, var cyclic) ->
          cyclic
              ? "the parents of queue " + queue + " form a circle at " + at
              : "queue " + queue + " lies below " + at + ", which does not exist";
      case Reason.QueueNotAllowed(var queue, var namespace, var at, var takes) ->
          "namespace "
              + namespace
              + " may not use queue "
              + queue
              + (at.equals(queue) ? "" : " below " + at)
              + ", which takes pods of namespaces with "
              + takes;
      case Reason.NamespaceTerminating(var namespace) ->
          "namespace " + namespace + " is being deleted, and nothing starts there any more";
      case Reason.NoSuchGroup(var group, var near) ->
          "there is no PodGroup " + group + (near.isEmpty() ? "" : " (did you mean " + near + "?)");
      case Reason.NoSuchSubGroup none -> MemberSentences.noSubGroup(none);
      case Reason.NoSuchTopology none -> noTopology(none);
      case Reason.OwnerUnknown(var pod, var kind, var name) ->
          kind + " " + name + ", which controls pod " + pod + ", has not been read yet";
      case Reason.NoSuchClaim(var pod, var claim, var template) ->
          template.isEmpty()
              ? "pod " + pod + " names ResourceClaim " + claim + ", which does not exist"
              : "the ResourceClaim of pod "
                  + pod
                  + " is still to be made from template "
                  + template;
      case Reason.VolumeNotReady waits -> VolumeSentences.volume(waits);
      case Reason.NoSuchDevices(var claim, var deviceClass) ->
          "no node offers devices of class " + deviceClass + ", which claim " + claim + " asks for";
      case Reason.ClaimOfOtherQueue other -> otherQueue(other);
      case Reason.TooFewMembers few -> MemberSentences.tooFew(few);
      case OverLimit over ->
          LimitSentences.overLimit(over)
              + LimitSentences.counted(over.counted())
              + besides(over.besides());
      case NonPreemptibleOverQuota over ->
          LimitSentences.overQuota(over)
              + LimitSentences.counted(over.counted())
              + besides(over.besides());
      case NoRoom none -> RoomSentences.noRoom(none);
      case Reason.FairShareReached reached -> LimitSentences.fairShare(reached);
      case Reason.NothingToTakeBack(var room, _) ->
          RoomSentences.noRoom(room) + "; no other queue has more than it is owed";
      case Reason.VictimsProtected(var room, int groups, var until) ->
          RoomSentences.noRoom(room)
              + ("; " + Phrases.count(groups, "group") + " could make room, but")
              + (groups == 1 ? " its min-runtime protects it" : " min-runtimes protect them")
              + (until.equals(Instant.MAX)
                  ? ""
                  : (groups == 1 ? "" : ", the first") + " until " + Phrases.moment(until));
      case Reason.BudgetsForbid forbid -> BudgetSentences.forbid(forbid);
      case Reason.NeverPreempts(var room) ->
          RoomSentences.noRoom(room)
              + "; no pod is evicted for it, since its preemptionPolicy is Never";
      case Reason.PreemptionDelayed(var room, var until) ->
          RoomSentences.noRoom(room)
              + "; by its preemption delay no pod is evicted for it before "
              + Phrases.moment(until);
      case Reason.EvictionBackoff(var room, var backoff) ->
          RoomSentences.noRoom(room) + "; " + backoff(backoff);
      case Reason.BorrowingBackoff held -> LimitSentences.borrowing(held);
      case Reason.VolumesOverdue overdue -> LimitSentences.overdue(overdue);
      case Reason.NeverFits never -> NeverSentences.what(never) + besides(never.besides());
      case Reason.MovesSpent(var room, var until) ->
          RoomSentences.noRoom(room)
              + "; no pod is moved to make it"
              + (until.equals(Instant.MAX) ? "" : " before " + Phrases.moment(until))
              + ", since as many were moved in an hour as may be (consolidation.maxMovesPerHour)";
      case Reason.WouldDelay delay -> wouldDelay(delay);
      case Reason.HeldForHead(var head, int devices, var until) ->
          ("the room that is free is held until " + Phrases.moment(until) + " for " + head.name())
              + (", which comes first and gathers " + Phrases.count(devices, "GPU"));
      case Reason.NoSuchPool none -> noPool(none);
      case Reason.NotProven(var sought, int tried, int of) -> notProven(sought, tried, of);
      case Reason.Starting starting ->
          (starting.members() == 1
                  ? "a place is found"
                  : "places for " + starting.members() + " members are found")
              + starting(starting);
    };
  }

  private static String otherQueue(Reason.ClaimOfOtherQueue other) {
    String claim = "claim " + other.claim() + " on GPUs ";
    if (!other.user().isNone()) {
      return claim
          + ("is charged to queue " + other.charged() + ", whose pod " + other.user())
          + (" uses it, not to " + other.queue());
    }
    return other.charged().isNone()
        ? claim + "may be shared, and does not say whose they are"
        : claim + "is of queue " + other.charged() + ", not of " + other.queue();
  }

  private static String noTopology(Reason.NoSuchTopology none) {
    String meant = none.near().isEmpty() ? "" : " (did you mean " + none.near() + "?)";
    if (none.level().isEmpty()) {
      return "there is no topology " + none.topology() + meant;
    }
    String levels =
        switch (none.levels().size()) {
          case 0 -> "; it has none";
          case 1 -> "; its only level is ";
          default -> "; its levels are ";
        };
    return ("topology " + none.topology() + " has no level " + none.level() + meant)
        + (levels + String.join(", ", none.levels()));
  }

  private static String help(Reason reason) {
    return switch (reason) {
      case Reason.BadRequest _ -> "correct it, or create the object anew";
      case Reason.NoSuchQueue(var queue, _) when queue.isNone() -> "the label berth.dev/queue";
      case Reason.NoSuchQueue(var queue, var near) when !ObjectNames.isOne(queue.value()) ->
          (near.isNone() ? "another name" : "name queue " + near)
              + ", since no Queue can be called "
              + queue
              + " ("
              + ObjectNames.RULE
              + ")";
      case Reason.NoSuchQueue(var queue, var near) ->
          near.isNone()
              ? "a Queue " + queue + ", or another name"
              : "name queue " + near + ", or create a Queue " + queue;
      case Reason.NotALeaf(_, var child) -> "name a queue below it, like " + child;
      case Reason.BrokenQueue(_, var at, var cyclic) ->
          cyclic ? "another parent for " + at : "a Queue " + at + ", or another parent";
      case Reason.QueueNotAllowed(_, var namespace, var at, _) ->
          "another queue; or an administrator labels namespace "
              + namespace
              + " or changes spec.namespaceSelector of queue "
              + at;
      case Reason.NamespaceTerminating _ ->
          "nothing to do: its pods are deleted with it; create them in another namespace";
      case Reason.NoSuchGroup(var group, var near) ->
          near.isEmpty()
              ? "a PodGroup " + group + ", or another name"
              : "name PodGroup " + near + ", or create a PodGroup " + group;
      case Reason.NoSuchSubGroup none -> MemberSentences.helpsSubGroup(none);
      case Reason.NoSuchTopology(var topology, var level, var levels, _) ->
          level.isEmpty()
              ? "a Topology " + topology + ", or another name"
              : (levels.isEmpty() ? "" : "one of its levels, or ")
                  + ("a level " + level + " in Topology " + topology);
      case Reason.OwnerUnknown _ -> "nothing to do: it is read within seconds";
      case Reason.NoSuchClaim(_, var claim, var template) ->
          template.isEmpty()
              ? "a ResourceClaim " + claim + ", or a new pod that names another"
              : "nothing to do if ResourceClaimTemplate " + template + " exists";
      case Reason.VolumeNotReady waits -> VolumeSentences.helpsVolume(waits);
      case Reason.NoSuchDevices _ -> "nodes whose DRA driver publishes such devices";
      case Reason.ClaimOfOtherQueue(_, var charged, var queue, var user) ->
          user.isNone()
              ? "the label berth.dev/queue: " + queue + " on the claim, or a claim template"
              : "the end of the pods of queue " + charged + " that use it, or a claim template";
      case Reason.TooFewMembers few -> MemberSentences.helpsTooFew(few);
      case OverLimit over -> LimitSentences.helpsLimit(over) + andHelps(over.besides());
      case NonPreemptibleOverQuota over ->
          LimitSentences.helpsQuota(over) + andHelps(over.besides());
      case NoRoom none -> RoomAdvice.helpsRoom(none);
      case Reason.FairShareReached reached ->
          RoomAdvice.helpsRoom(reached.room()) + LimitSentences.orQuota(reached);
      case Reason.NothingToTakeBack(var room, _) -> RoomAdvice.helpsRoom(room);
      case Reason.VictimsProtected(var room, _, _) -> "time, or " + RoomAdvice.helpsRoom(room);
      case Reason.BudgetsForbid forbid -> BudgetSentences.helps(forbid);
      case Reason.NeverPreempts(var room) ->
          "a priority class that preempts, if pods may be evicted for it then, or "
              + RoomAdvice.helpsRoom(room);
      case Reason.PreemptionDelayed(var room, _) ->
          "time or a shorter berth.dev/preemption-delay, if pods may be evicted for it then, or "
              + RoomAdvice.helpsRoom(room);
      case Reason.EvictionBackoff(var room, var backoff) ->
          (backoff.saysWhatHelps() ? "what kube-scheduler says of these pods corrected, " : "")
              + ("time, or " + RoomAdvice.helpsRoom(room));
      case Reason.BorrowingBackoff held ->
          (held.backoff().words().isEmpty() ? "the volumes of these pods, time, or " : "time, or ")
              + LimitSentences.quota(
                  LimitSentences.where(held), held.resource(), held.used() + held.asked());
      case Reason.VolumesOverdue overdue ->
          "those volumes, time, or "
              + LimitSentences.quota(
                  LimitSentences.where(overdue),
                  overdue.resource(),
                  overdue.used() + overdue.asked());
      case Reason.NeverFits never ->
          NeverSentences.helps(never)
              + (never.most() == 0 ? togetherWith(never.besides()) : andHelps(never.besides()));
      case Reason.MovesSpent(var room, _) -> "time, or " + RoomAdvice.helpsRoom(room);
      case Reason.WouldDelay(_, var startsBy, var runtime) ->
          runtime.isZero()
              ? "berth.dev/expected-runtime, if it ends before " + Phrases.moment(startsBy)
              : "a shorter expected runtime, or GPUs released";
      case Reason.HeldForHead _ -> "time, or GPUs released";
      case Reason.NoSuchPool(var label, var pool, _) ->
          pool.isEmpty()
              ? "a node selector with " + label
              : "a node with the label " + label + "=" + pool + ", or another pool";
      case Reason.NotProven(var sought, _, _) ->
          switch (sought) {
            case NODES -> "nothing to do: it is planned again";
            case VICTIM_SETS -> "nothing to do: the search goes on from there";
            case VICTIMS -> "a larger search.trials";
          };
      case Reason.Starting starting ->
          starting.wayOut().isEmpty()
              ? "nothing to do: it starts by itself"
              : Phrases.withoutFullStop(starting.wayOut());
    };
  }

  private static String besides(List<Reason> others) {
    return others.stream().map(each -> "; besides, " + what(each)).collect(Collectors.joining());
  }

  /// What it takes together with that.
  private static String andHelps(List<Reason> others) {
    return others.stream()
        .map(each ->
            each instanceof NoRoom room && room.mayBeMade()
                ? "; and, unless others make room, " + help(each)
                : "; and " + help(each))
        .collect(Collectors.joining());
  }

  /// The same, where pods that ask for less have been told.
  private static String togetherWith(List<Reason> others) {
    return others.stream()
        .map(each ->
            each instanceof OverLimit over
                ? LimitSentences.larger(over) + andHelps(over.besides())
                : help(each))
        .map(help -> ", together with " + help)
        .collect(Collectors.joining());
  }

  private static String backoff(Backoff backoff) {
    boolean own = backoff.namespace().isEmpty();
    return "no pod is evicted for it before "
        + Phrases.moment(backoff.until())
        + ", since "
        + Phrases.plans(backoff)
        + " for which others left came to nothing"
        + (backoff.words().isEmpty()
            ? ": they did not start, or ran for less than a minute"
            : (own ? " (" : " (the last: ") + Phrases.withoutFullStop(backoff.words()) + ")");
  }

  private static String wouldDelay(Reason.WouldDelay delay) {
    String mine =
        delay.runtime().isZero()
            ? "this group does not say when it ends"
            : "this group runs for " + Phrases.span(delay.runtime());
    return ("the room that is free is reserved for " + delay.head().name())
        + (", which comes first and starts by "
            + Phrases.moment(delay.startsBy())
            + ", and "
            + mine);
  }

  private static String noPool(Reason.NoSuchPool none) {
    String there =
        none.pools().isEmpty()
            ? "no node has the label " + none.label()
            : "pools are " + String.join(", ", none.pools());
    return (none.pool().isEmpty() ? "it names no pool" : "no node is in pool " + none.pool())
        + ("; " + there);
  }

  private static String notProven(Reason.Sought sought, int tried, int of) {
    return switch (sought) {
      case NODES ->
          "the search ended after " + tried + " of " + of + " nodes, so a place may exist";
      case VICTIMS ->
          "the search for victims ended after "
              + (tried + " of " + of + " steps of others, so they may be able to");
      case VICTIM_SETS ->
          "Berth still searches for pods that could make room: "
              + (tried + " sets tried so far among " + Phrases.count(of, "candidate"));
    };
  }

  private static String starting(Reason.Starting starting) {
    int leaving = starting.leaving();
    int holders = starting.holders();
    return leaving(leaving, starting.left())
        + (holders > 0 ? ", " + Phrases.count(holders, "GPU") + " must be held first" : "")
        + (starting.steps().isEmpty() ? "" : ": " + String.join("; ", starting.steps()));
  }

  private static String leaving(int leaving, int left) {
    if (leaving == 0) {
      return "";
    }
    return left == 0
        ? ", " + Phrases.count(leaving, "pod") + " must leave first"
        : (", "
                + left
                + " of "
                + Phrases.count(left + leaving, "pod")
                + (left == 1 ? " has" : " have"))
            + (" left and " + leaving + " must still leave");
  }
}
