package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.Excess;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Reason.Released;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/// A reason as one text for people: what is so, with the numbers; what would help; who is ahead.
public final class Sentences {
  /// Words of kube-scheduler, or of kubelets, may be others on each node.
  private static final int MOST_SHORTFALLS = 12;

  private static final int MOST_BUDGETS = 3;

  /// In characters: an event holds 1,024 bytes, and what helps comes last.
  private static final int MOST_WORDS = 400;

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

  /// @param ahead who comes before it and waits for the same
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
      case Reason.BadRequest(var object, var problem) -> withoutFullStop(problem.on(object));
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
      case Reason.NoSuchGroup(var group) -> "there is no PodGroup " + group;
      case Reason.NoSuchSubGroup(var pod, var role) ->
          role.isEmpty()
              ? "pod " + pod + " names no sub-group, but its group has some"
              : "pod " + pod + " is of sub-group " + role + ", which its group does not have";
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
      case Reason.VolumeNotReady waits -> volume(waits);
      case Reason.NoSuchDevices(var claim, var deviceClass) ->
          "no node offers devices of class " + deviceClass + ", which claim " + claim + " asks for";
      case Reason.ClaimOfOtherQueue(var claim, var labelled, var queue) ->
          labelled.isNone()
              ? "claim " + claim + " on GPUs may be shared, and does not say whose they are"
              : "claim " + claim + " on GPUs is of queue " + labelled + ", not of " + queue;
      case Reason.TooFewMembers few -> tooFew(few);
      case OverLimit over -> overLimit(over) + counted(over.counted());
      case NonPreemptibleOverQuota over -> overQuota(over) + counted(over.counted());
      case NoRoom none -> noRoom(none);
      case Reason.FairShareReached reached -> fairShare(reached);
      case Reason.NothingToTakeBack(var room, _) ->
          noRoom(room) + "; no other queue has more than it is owed";
      case Reason.VictimsProtected(var room, int groups, var until) ->
          noRoom(room)
              + ("; " + count(groups, "group") + " could make room, but")
              + (groups == 1 ? " its min-runtime protects it" : " min-runtimes protect them")
              + (until.equals(Instant.MAX)
                  ? ""
                  : (groups == 1 ? "" : ", the first") + " until " + moment(until));
      case Reason.BudgetsForbid(var room, int groups, var budgets, var notRead, var keeps) ->
          noRoom(room)
              + ("; " + count(groups, "group") + " could make room, but ")
              + (budgets.isEmpty() && notRead.isEmpty()
                  ? "the API server refused to evict "
                  : "disruption budgets keep ")
              + (groups == 1 ? "its pods" : "their pods")
              + named(budgets)
              + (notRead.isEmpty() ? "" : budgets.isEmpty() ? ": " : ", and ")
              + UnreadBudgets.of(notRead).what()
              + withinQuota(keeps);
      case Reason.PreemptionDelayed(var room, var until) ->
          noRoom(room) + "; no pod is evicted for it before " + moment(until);
      case Reason.EvictionBackoff(var room, var backoff) -> noRoom(room) + "; " + backoff(backoff);
      case Reason.NeverFits(var room, long most, var largest, var besides) ->
          noRoom(room)
              + ("; " + whenEmpty(room, most, largest))
              + (besides.isEmpty() ? "" : "; besides, " + what(besides.getFirst()));
      case Reason.MovesSpent(var room, var until) ->
          noRoom(room)
              + "; no pod is moved to make it"
              + (until.equals(Instant.MAX) ? "" : " before " + moment(until))
              + ", since as many were moved in an hour as may be (consolidation.maxMovesPerHour)";
      case Reason.WouldDelay delay -> wouldDelay(delay);
      case Reason.HeldForHead(var head, int devices, var until) ->
          ("the room that is free is held until " + moment(until) + " for " + head.name())
              + (", which comes first and gathers " + count(devices, "GPU"));
      case Reason.NoSuchPool none -> noPool(none);
      case Reason.NotProven(var sought, int tried, int of) -> notProven(sought, tried, of);
      case Reason.Starting starting ->
          (starting.members() == 1
                  ? "a place is found"
                  : "places for " + starting.members() + " members are found")
              + starting(starting);
    };
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

  /// A problem is a sentence of its own; here it is part of one.
  private static String withoutFullStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }

  private static String help(Reason reason) {
    return switch (reason) {
      case Reason.BadRequest _ -> "correct it, or create the object anew";
      case Reason.NoSuchQueue(var queue, var near) when near.isNone() ->
          queue.isNone() ? "the label berth.dev/queue" : "a Queue " + queue + ", or another name";
      case Reason.NoSuchQueue(var queue, var near) ->
          "name queue " + near + ", or create a Queue " + queue;
      case Reason.NotALeaf(_, var child) -> "name a queue below it, like " + child;
      case Reason.BrokenQueue(_, var at, var cyclic) ->
          cyclic ? "another parent for " + at : "a Queue " + at + ", or another parent";
      case Reason.QueueNotAllowed(_, var namespace, var at, _) ->
          "another queue; or an administrator labels namespace "
              + namespace
              + " or changes spec.namespaceSelector of queue "
              + at;
      case Reason.NoSuchGroup(var group) -> "a PodGroup " + group + ", or another name";
      case Reason.NoSuchSubGroup _ -> "the label berth.dev/subgroup with a leaf of the group";
      case Reason.NoSuchTopology(var topology, var level, var levels, _) ->
          level.isEmpty()
              ? "a Topology " + topology + ", or another name"
              : (levels.isEmpty() ? "" : "one of its levels, or ")
                  + ("a level " + level + " in Topology " + topology);
      case Reason.OwnerUnknown _ -> "nothing to do: it is read within seconds";
      case Reason.NoSuchClaim(_, var claim, var template) ->
          template.isEmpty()
              ? "a ResourceClaim " + claim + ", or another name"
              : "nothing to do if ResourceClaimTemplate " + template + " exists";
      case Reason.VolumeNotReady waits -> helpsVolume(waits);
      case Reason.NoSuchDevices _ -> "nodes whose DRA driver publishes such devices";
      case Reason.ClaimOfOtherQueue(_, _, var queue) ->
          "the label berth.dev/queue: " + queue + " on the claim, or a claim template";
      case Reason.TooFewMembers few -> helpsTooFew(few);
      case OverLimit over ->
          over.isForGood()
              ? "a limit of "
                  + amounts(over.excesses(), Sentences::needed)
                  + " or more, or a smaller request"
              : amounts(over.excesses(), each -> each.used() + each.asked() - each.most())
                  + (" released in " + over.queue())
                  + (", or a limit of " + amounts(over.excesses(), Sentences::sum));
      case NonPreemptibleOverQuota over ->
          ("a quota of " + amounts(over.excesses(), Sentences::sum) + " in " + over.queue())
              + ", or preemptible work (the label berth.dev/preemptibility)";
      case NoRoom none -> helpsRoom(none);
      case Reason.FairShareReached(var room, var queue, var resource, long used, long asked, _) ->
          helpsRoom(room)
              + (", or a quota of " + AmountText.of(resource, used + asked) + " in " + queue);
      case Reason.NothingToTakeBack(var room, _) -> helpsRoom(room);
      case Reason.VictimsProtected(var room, _, _) -> "time, or " + helpsRoom(room);
      case Reason.BudgetsForbid(var room, _, var budgets, var notRead, var keeps) ->
          (budgets.isEmpty() && notRead.isEmpty()
                  ? "what the events EvictionGivenUp of these pods name, time, or "
                  : (budgets.isEmpty() ? "" : "a budget that allows a disruption, ")
                      + UnreadBudgets.of(notRead).help()
                      + othersThan(keeps)
                      + "or ")
              + helpsRoom(room);
      case Reason.PreemptionDelayed(var room, _) -> "time, or " + helpsRoom(room);
      case Reason.EvictionBackoff(var room, var backoff) ->
          (backoff.words().isEmpty() ? "" : "what kube-scheduler says of these pods corrected, ")
              + ("time, or " + helpsRoom(room));
      case Reason.NeverFits(var room, long most, var largest, _) ->
          most == 0
              ? "a smaller request, or larger nodes"
              : largest.isNone()
                  ? "a smaller minimum, pods that ask for less, or more nodes"
                  : ("a smaller minimum, pods that ask for less, a larger " + largest.level())
                      + ", or a wider topology level";
      case Reason.MovesSpent(var room, _) -> "time, or " + helpsRoom(room);
      case Reason.WouldDelay(_, var startsBy, var runtime) ->
          runtime.isZero()
              ? "berth.dev/expected-runtime, if it ends before " + moment(startsBy)
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
              : withoutFullStop(starting.wayOut());
    };
  }

  private static String named(List<DisruptionBudget.Key> budgets) {
    if (budgets.isEmpty()) {
      return "";
    }
    var names = new ArrayList<String>();
    budgets.stream().limit(MOST_BUDGETS).forEach(each -> names.add(each.toString()));
    int more = budgets.size() - names.size();
    return " (" + String.join(", ", names) + (more > 0 ? " and " + more + " more" : "") + ")";
  }

  private static String backoff(Backoff backoff) {
    boolean own = backoff.namespace().isEmpty();
    return "no pod is evicted for it before "
        + moment(backoff.until())
        + ", since "
        + (own
            ? count(backoff.failures(), "plan") + " of it"
            : "plans of "
                + count(backoff.failures(), "workload")
                + " of namespace "
                + backoff.namespace())
        + " for which others left came to nothing"
        + (backoff.words().isEmpty()
            ? ": they did not start, or ran for less than a minute"
            : (own ? " (" : " (the last: ") + withoutFullStop(backoff.words()) + ")");
  }

  private static String withinQuota(BudgetsKeep keeps) {
    return keeps.queue().isNone()
        ? ""
        : (", and without those who would leave queue " + keeps.queue())
            + (" would have " + AmountText.number(Resource.GPU, keeps.left()))
            + (" of its quota of " + AmountText.of(Resource.GPU, keeps.quota()));
  }

  /// What helps beside another budget.
  private static String othersThan(BudgetsKeep keeps) {
    if (keeps.isForNow()) {
      return "time, ";
    }
    return keeps.queue().isNone()
        ? ""
        : ("a quota of " + AmountText.number(Resource.GPU, keeps.left()) + " in " + keeps.queue())
            + ", a smaller minMember there, ";
  }

  private static String counted(List<Reason.CountedClaim> claims) {
    var words = new StringBuilder();
    for (Reason.CountedClaim each : claims) {
      words.append("; claim ").append(each.claim()).append(" counts as ");
      words.append(count(each.count(), "device")).append(" of class ").append(each.deviceClass());
      words.append(each.all() ? ", all that one node has" : "");
      words.append(
          each.alternatives() > 1
              ? ", the dearest of " + each.alternatives() + " alternatives"
              : "");
      words.append(", until kube-scheduler has allocated it");
    }
    return words.toString();
  }

  private static String overLimit(OverLimit over) {
    var forGood = over.excesses().stream().filter(Excess::isForGood).toList();
    var forNow = over.excesses().stream().filter(each -> !each.isForGood()).toList();
    String asking = asking("this group", over.members());
    String now = excesses(forNow, "limit", " in use and " + asking);
    if (forGood.isEmpty()) {
      return "queue " + over.queue() + now;
    }
    return (asking + asked(forGood))
        + (" and queue " + over.queue() + " never has more than its limit of ")
        + amounts(forGood, Excess::most)
        + (forNow.isEmpty() ? "" : ", and" + now);
  }

  private static String overQuota(NonPreemptibleOverQuota over) {
    var forGood = over.excesses().stream().filter(Excess::isForGood).toList();
    var forNow = over.excesses().stream().filter(each -> !each.isForGood()).toList();
    String asking = asking("this group", over.members());
    String now = excesses(forNow, "quota", " and " + asking);
    if (forGood.isEmpty()) {
      return "non-preemptible work of queue " + over.queue() + now;
    }
    String and = asking("", over.members());
    return ("this group is not preemptible and " + and.stripLeading() + asked(forGood))
        + (", more than the quota of queue " + over.queue() + ", which is ")
        + amounts(forGood, Excess::most)
        + (forNow.isEmpty() ? "" : ", and non-preemptible work there" + now);
  }

  /// `this group asks for`, or which of its members do.
  private static String asking(String group, Reason.AskingMembers members) {
    if (members.isAll()) {
      return group + " asks for ";
    }
    if (members.isFirst()) {
      return "the first "
          + (members.count() + " of " + members.of())
          + (members.count() == 1 ? " members asks for " : " members ask for ");
    }
    return members.count() == 1
        ? "the next of " + members.of() + " members asks for "
        : "the next " + members.count() + " of " + members.of() + " members ask for ";
  }

  private static String asked(List<Excess> excesses) {
    return excesses.size() > 1
        ? amounts(excesses, Excess::asked)
        : number(excesses.getFirst(), excesses.getFirst().asked());
  }

  /// ` has 3 of its limit of 4 GPUs in use and this group asks for 2; 6 of 8 cores (cpu) …`.
  private static String excesses(List<Excess> excesses, String bound, String asks) {
    var texts = new ArrayList<String>();
    for (Excess each : excesses) {
      texts.add(
          (" has " + number(each, each.used()))
              + (" of its " + bound + " of " + amount(each, each.most()))
              + (asks + number(each, each.asked())));
    }
    return String.join(", and", texts);
  }

  private static String amounts(List<Excess> excesses, ToLongFunction<Excess> value) {
    var texts = new ArrayList<String>();
    excesses.forEach(each -> texts.add(amount(each, value.applyAsLong(each))));
    return String.join(" and ", texts);
  }

  /// With the name of its resource, as manifests have it.
  private static String amount(Excess excess, long value) {
    String isCpu = excess.resource().equals(Resource.CPU) ? " (cpu)" : "";
    return AmountText.of(excess.resource(), value) + isCpu;
  }

  private static String number(Excess excess, long value) {
    return AmountText.number(excess.resource(), value);
  }

  private static long needed(Excess excess) {
    return excess.isForGood() ? excess.asked() : sum(excess);
  }

  private static long sum(Excess excess) {
    return excess.used() + excess.asked();
  }

  private static String fairShare(Reason.FairShareReached reached) {
    return noRoom(reached.room())
        + ("; queue " + reached.queue())
        + (" has " + AmountText.number(reached.resource(), reached.used()))
        + (" of its fair share of " + AmountText.of(reached.resource(), reached.share()))
        + (" and is not owed the " + AmountText.number(reached.resource(), reached.asked()))
        + " that this group asks for";
  }

  private static String wouldDelay(Reason.WouldDelay delay) {
    String mine =
        delay.runtime().isZero()
            ? "this group does not say when it ends"
            : "this group runs for " + span(delay.runtime());
    return ("the room that is free is reserved for " + delay.head().name())
        + (", which comes first and starts by " + moment(delay.startsBy()) + ", and " + mine);
  }

  private static String noPool(Reason.NoSuchPool none) {
    String there =
        none.pools().isEmpty()
            ? "no node has the label " + none.label()
            : "pools are " + String.join(", ", none.pools());
    return (none.pool().isEmpty() ? "it names no pool" : "no node is in pool " + none.pool())
        + ("; " + there);
  }

  /// To the second, in UTC.
  private static String moment(Instant when) {
    return when.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// `1h30m`, as users write it.
  private static String span(Duration duration) {
    var seconds = duration.truncatedTo(ChronoUnit.SECONDS);
    return seconds.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }

  private static String tooFew(Reason.TooFewMembers few) {
    String what =
        (few.subGroup().isEmpty() ? "the group" : "sub-group " + few.subGroup())
            + (" has " + few.have() + " of the " + few.need() + " members that start together");
    return few.heldBack() == 0
        ? what
        : what
            + (", and " + few.heldBack() + " more that ")
            + (few.gates().isEmpty()
                ? "cannot be planned yet"
                : "scheduling gates of others hold (" + String.join(", ", few.gates()) + ")");
  }

  private static String helpsTooFew(Reason.TooFewMembers few) {
    int toCreate = few.need() - few.have() - few.heldBack();
    String gates = few.gates().size() == 1 ? "this gate" : "these gates";
    var ways = new ArrayList<String>();
    if (few.heldBack() > 0) {
      ways.add(few.gates().isEmpty() ? "time" : "remove " + gates);
    }
    if (toCreate > 0) {
      ways.add((ways.isEmpty() ? "" : "create ") + count(toCreate, "more pod"));
    }
    if (few.have() > 0) {
      return String.join(" and ", ways) + ", or a minimum of " + few.have();
    }
    return String.join(" and ", ways);
  }

  private static String noRoom(NoRoom none) {
    if (none.nodes() == 0) {
      return "there are no nodes";
    }
    String notOffered = notOffered(none);
    if (!notOffered.isEmpty()) {
      return (none.members() == 1 ? "no node fits the pod" : together(none) + next(none, ""))
          + ("; no node offers " + notOffered);
    }
    var reasons = new ArrayList<String>();
    int unnamed = none.nodes();
    int length = 0;
    for (Shortfall shortfall : none.shortfalls()) {
      if (reasons.size() == MOST_SHORTFALLS || length > MOST_WORDS) {
        break;
      }
      reasons.add(shortfall.nodes() + " " + obstacle(shortfall, !none.largest().isNone()));
      length += reasons.getLast().length();
      unnamed -= shortfall.nodes();
    }
    if (none.shortfalls().size() > reasons.size()) {
      reasons.add(unnamed + " otherwise");
    }
    String asks = asks(none.free(), none.mixed().isNone() || none.placed() == 0 ? "free" : "left");
    String members =
        none.members() == 1
            ? "no node fits the pod" + (asks.isEmpty() ? "" : ", which asks for " + asks)
            : together(none) + next(none, asks);
    return members + "; of " + count(none.nodes(), "node") + " " + String.join(", ", reasons);
  }

  /// The one resource that stands in the way on all nodes, as none of them has it; else nothing.
  private static String notOffered(NoRoom none) {
    boolean isOne = none.shortfalls().size() == 1;
    boolean isAll = isOne && none.shortfalls().getFirst().nodes() == none.nodes();
    return isAll && none.shortfalls().getFirst().obstacle() == Obstacle.NOT_OFFERED
        ? none.shortfalls().getFirst().detail()
        : "";
  }

  private static String together(NoRoom none) {
    var largest = none.largest();
    return largest.isNone()
        ? none.placed() + " of " + none.members() + " pods fit together"
        : largest(largest) + " fits " + of(largest.holds(), largest.members());
  }

  /// Of unlike members the one that is told of is named.
  private static String next(NoRoom none, String asks) {
    String pod = none.mixed().isNone() ? "the next" : "pod " + none.mixed().pod();
    if (asks.isEmpty()) {
      return none.mixed().isNone() ? "" : ", and " + pod + " finds no node";
    }
    return ", and " + pod + " asks for " + asks;
  }

  private static String largest(Largest largest) {
    return "the largest " + largest.level() + " (" + largest.domain() + ")";
  }

  private static String of(long holds, int members) {
    return holds + " of " + members + (members == 1 ? " pod" : " pods");
  }

  private static String whenEmpty(NoRoom room, long most, Largest largest) {
    if (most == 0) {
      return "no node is large enough, even if it is empty";
    }
    return largest.isNone()
        ? "all nodes together fit " + of(most, room.members()) + ", even if they are empty"
        : largest(largest) + " fits " + of(most, largest.members()) + ", even if it is empty";
  }

  /// What a member asks for and finds: `2 GPUs (3 are free, at most 1 on one node)`.
  ///
  /// @param isFree `left` where other members were placed before it
  private static String asks(Free free, String isFree) {
    if (free.devices() == 0 || free.nodes() == 0) {
      return "";
    }
    if (isPart(free)) {
      String of = free.devices() == 1 ? "a GPU" : "each of " + free.devices() + " GPUs";
      return part(free, free.mib(), free.millis())
          + (" of " + of + " (at most ")
          + (part(free, free.most(), free.most()) + " of one is " + isFree + ")");
    }
    String asked = free.devices() == 1 ? "1 GPU" : free.devices() + " GPUs";
    String there =
        free.total() == 0
            ? "none is " + isFree
            : free.total()
                + ((free.total() == 1 ? " is " : " are ") + isFree)
                + (free.most() < free.total() ? ", at most " + free.most() + " on one node" : "");
    return asked + " (" + there + ")";
  }

  private static boolean isPart(Free free) {
    return free.mib() > 0 || free.millis() < 1000;
  }

  private static String part(Free free, long mib, int millis) {
    return free.mib() > 0 ? mib + " MiB" : AmountText.thousandths(millis);
  }

  private static String obstacle(Shortfall shortfall, boolean ofALevel) {
    if (shortfall.obstacle() == Obstacle.NOT_OFFERED) {
      return "without " + shortfall.detail();
    }
    boolean isOwn = shortfall.obstacle() == Obstacle.OWN_ANTI_AFFINITY;
    String words = (isOwn ? "its own anti-affinity needs " : "") + shortfall.detail();
    String detail = shortfall.detail().isEmpty() ? "" : " (" + words + ")";
    return switch (shortfall.obstacle()) {
          case NOT_READY -> "not ready";
          case UNSCHEDULABLE -> "cordoned";
          case TAINT -> "tainted";
          case NODE_SELECTOR -> "outside the node selector";
          case NODE_AFFINITY -> "outside the node affinity";
          case VOLUME -> "out of reach of its volume";
          case DEVICE_MODEL -> "of another GPU model";
          case DEVICE_MEMORY_UNKNOWN -> "without the label nvidia.com/gpu.memory";
          case DEVICE_MODE -> "whose GPUs serve other requests";
          case DEVICE_HEALTH -> "with unhealthy GPUs";
          case DEVICE_PLUGIN -> "whose device plugin is gone or offers no healthy GPU";
          case NO_DEVICES -> "without GPUs";
          case NOT_OFFERED -> "without a resource";
          case TOO_SMALL -> "too small";
          case DEVICES -> "without enough free GPUs";
          case SHARED_DEVICES -> "without enough room on a GPU";
          case HOLDERS -> "unable to hold a GPU for shares";
          case RESOURCE -> "short";
          case PODS -> "full of pods";
          case HOST_PORTS -> "with the host port taken";
          case TOPOLOGY ->
              !detail.isEmpty()
                  ? "without the topology label"
                  : ofALevel ? "outside it" : "outside a domain that fits all";
          case POD_AFFINITY -> "without the pods of its pod affinity";
          case POD_ANTI_AFFINITY -> "with pods of its pod anti-affinity";
          case OWN_ANTI_AFFINITY -> "with a pod of its own kind";
          case OTHERS_ANTI_AFFINITY -> "kept free of it by the pod anti-affinity of others";
          case SPREAD -> "in a domain that has more than its part";
          case SPREAD_LABEL -> "without the label that it spreads over";
          case INTER_POD -> "not compared with its pod affinity, anti-affinity and spread";
          case CLAIMS -> "without the devices that it claims";
          case ISOLATION -> "that do not enforce its gpu-isolation";
          case INJECTION -> "unable to show a container its GPU";
          case RUNTIME_CLASS -> "in need of another runtime class";
          case NUMA -> "with NUMA zones too small";
          case VETO -> "refused by kube-scheduler";
        }
        + detail;
  }

  /// What helps on those nodes that are nearest to taking the member: that control-plane nodes are
  /// tainted, or that most nodes have no GPUs, is not what it waits for. Of those the two most
  /// frequent obstacles.
  private static String helpsRoom(NoRoom none) {
    int nearest =
        none.shortfalls().stream()
            .mapToInt(each -> distance(each.obstacle()))
            .min()
            .orElse(Integer.MAX_VALUE);
    var ways = new LinkedHashSet<String>();
    for (Shortfall shortfall : none.shortfalls()) {
      boolean isElsewhere =
          shortfall.obstacle() == Obstacle.TOPOLOGY && !none.largest().isNone() && isAnyThere(none);
      if (distance(shortfall.obstacle()) == nearest && ways.size() < 2 && !isElsewhere) {
        ways.add(helps(shortfall, none));
      }
    }
    return ways.isEmpty() ? "more nodes" : String.join(", or ", ways);
  }

  /// Whether anything is told of nodes in the domain that comes nearest, and they are of its kind.
  private static boolean isAnyThere(NoRoom none) {
    return none.shortfalls().stream()
        .anyMatch(each -> each.obstacle() != Obstacle.TOPOLOGY && distance(each.obstacle()) == 0);
  }

  /// How far a node with that obstacle is from taking the member: 0 = it is one of those meant for
  /// it, 1 = one of those with another state, 2 = another kind of node.
  private static int distance(Obstacle obstacle) {
    return switch (obstacle) {
      case DEVICES,
          SHARED_DEVICES,
          HOLDERS,
          RESOURCE,
          PODS,
          HOST_PORTS,
          TOPOLOGY,
          POD_AFFINITY,
          POD_ANTI_AFFINITY,
          OWN_ANTI_AFFINITY,
          OTHERS_ANTI_AFFINITY,
          SPREAD,
          SPREAD_LABEL,
          INTER_POD,
          CLAIMS,
          ISOLATION,
          INJECTION,
          RUNTIME_CLASS,
          NUMA,
          VETO ->
          0;
      case NOT_READY,
          UNSCHEDULABLE,
          TAINT,
          DEVICE_HEALTH,
          DEVICE_PLUGIN,
          DEVICE_MEMORY_UNKNOWN,
          DEVICE_MODE ->
          1;
      case NODE_SELECTOR, NODE_AFFINITY, VOLUME, DEVICE_MODEL, TOO_SMALL -> 2;
      case NO_DEVICES, NOT_OFFERED -> 3;
    };
  }

  private static String orMoreNodes(NoRoom none) {
    boolean isBoundToSome =
        none.shortfalls().stream()
            .map(Shortfall::obstacle)
            .anyMatch(each ->
                each == Obstacle.NODE_SELECTOR
                    || each == Obstacle.NODE_AFFINITY
                    || each == Obstacle.VOLUME);
    return isBoundToSome ? " where it may be, or more such nodes" : ", or more nodes";
  }

  private static String helps(Shortfall shortfall, NoRoom none) {
    return switch (shortfall.obstacle()) {
      case NOT_READY -> "nodes that become ready again";
      case UNSCHEDULABLE -> "nodes uncordoned";
      case TAINT -> "a toleration of " + shortfall.detail() + ", or nodes without that taint";
      case NODE_SELECTOR ->
          ("nodes with the label " + shortfall.detail() + ", or another nodeSelector")
              + meant(shortfall.wanted());
      case NODE_AFFINITY -> "nodes that its node affinity names, or a wider one";
      case VOLUME -> "room on nodes with " + shortfall.detail() + ", or another volume";
      case DEVICE_MODEL ->
          (shortfall.wanted().what().isEmpty()
                  ? "nodes of the model that it asks for"
                  : "nodes of model " + shortfall.wanted().what())
              + ", or a berth.dev/gpu-model that is here"
              + meant(shortfall.wanted());
      case DEVICE_MEMORY_UNKNOWN -> "the label nvidia.com/gpu.memory on nodes, or gpu-fraction";
      case DEVICE_MODE -> "a request that these GPUs serve, or other nodes";
      case DEVICE_HEALTH -> "repaired GPUs, or more nodes";
      case DEVICE_PLUGIN -> "the device plugin's pod on these nodes running again";
      case NO_DEVICES -> "nodes with GPUs";
      case NOT_OFFERED -> "another resource name, or nodes that offer it";
      case TOO_SMALL -> "a smaller request, or larger nodes";
      case DEVICES, SHARED_DEVICES ->
          none.mixed().released().isNever()
              ? "pods that ask for less, "
                  + (none.largest().isNone()
                      ? "or more nodes"
                      : ("a larger " + none.largest().level()) + ", or a wider topology level")
              : none.largest().isNone()
                  ? released(none) + orMoreNodes(none)
                  : (released(none)
                          + " in "
                          + none.largest().level()
                          + " "
                          + none.largest().domain())
                      + ", or a wider topology level";
      case HOLDERS ->
          "what holders need (docs/operators/devices.md), or room on GPUs that are held";
      case RESOURCE -> shortfall.detail() + " released, or a smaller request";
      case PODS -> "pods that end, or more nodes";
      case HOST_PORTS -> "a pod that has this host port deleted, or another host port";
      case TOPOLOGY ->
          shortfall.detail().isEmpty()
              ? "room within one domain, or a wider topology level"
              : "the label " + shortfall.detail() + " on nodes, or another topology level";
      case POD_AFFINITY -> "pods that its pod affinity selects, or a wider topologyKey";
      case POD_ANTI_AFFINITY -> "those pods deleted, or a domain without them";
      case OTHERS_ANTI_AFFINITY ->
          "those pods deleted or without it, or labels that it does not select";
      case OWN_ANTI_AFFINITY ->
          (none.members() > 1 ? "fewer members, " : "")
              + (shortfall.detail().contains(" domains of ") ? "more domains" : "more nodes")
              + ", or an anti-affinity that is preferred and not required";
      case SPREAD -> "room in the emptier domains, or a larger maxSkew";
      case SPREAD_LABEL ->
          "the label " + shortfall.detail() + " on nodes, or another topologyKey of the constraint";
      case INTER_POD ->
          "fewer different terms on pods of namespace "
              + shortfall.detail()
              + ", or terms that select pods of that namespace by a label's value";
      case CLAIMS ->
          shortfall.detail().equals(Reason.Shortfall.WHOEVER_LEAVES)
              ? "nodes with more such devices, or a smaller claim"
              : "claimed devices released, or more nodes";
      case ISOLATION ->
          shortfall.detail().equals("mps")
              ? "berth.dev/gpu-isolation: none, since no node enforces mps"
              : "nodes with the label berth.dev/gpu-isolation: "
                  + shortfall.detail()
                  + ", or berth.dev/gpu-isolation: none on the pod";
      case INJECTION ->
          "what the words in brackets ask for (docs/operators/devices.md, berth doctor)";
      case RUNTIME_CLASS ->
          "a new pod without spec.runtimeClassName: it is set to what the nodes need";
      case NUMA -> "containers that ask for less, or nodes with larger NUMA zones";
      case VETO -> "see kube-scheduler's words; the node is tried again later";
    };
  }

  /// What must be released for all members that lack a place, as far as they are alike.
  private static String released(NoRoom none) {
    var free = none.free();
    int pods = Math.max(1, none.alike());
    int others = (none.largest().isNone() ? none.members() - none.placed() : lack(none)) - pods;
    if (none.mixed().released().isTold()) {
      return releasedMixed(none.mixed().released());
    }
    if (free.devices() == 0 || free.nodes() == 0) {
      return "GPUs released";
    }
    String words = isPart(free) ? releasedParts(free, pods) : releasedWhole(free, pods);
    return (others > 0 && !words.startsWith("GPUs") ? "at least " : "") + words;
  }

  private static String meant(Reason.Wanted wanted) {
    return wanted.near().isEmpty() ? "" : " (did you mean " + wanted.near() + "?)";
  }

  private static int lack(NoRoom none) {
    return none.largest().members() - (int) none.largest().holds();
  }

  /// `3 GPUs released, 2 on one node and 1 on another`.
  private static String releasedMixed(Released released) {
    var byNode = released.byNode();
    int total = byNode.stream().mapToInt(Integer::intValue).sum();
    String words = total == 1 ? "1 GPU released" : total + " GPUs released";
    int most = byNode.getFirst();
    int least = byNode.getLast();
    if (byNode.size() == 1) {
      return words
          + (released.free() > 0 ? " on a node with " + released.free() + " free" : " on one node");
    }
    if (most == least) {
      return words + ", " + most + " on each of " + byNode.size() + " nodes";
    }
    return byNode.size() == 2
        ? words + ", " + most + " on one node and " + least + " on another"
        : words + ", at most " + most + " on one node, so that each pod finds its GPUs on one";
  }

  /// `0.1 of a GPU released on a GPU with 0.4 free`.
  private static String releasedParts(Free free, int pods) {
    String asked = part(free, free.mib(), free.millis());
    if (pods > 1 || free.devices() > 1) {
      return free.devices() == 1
          ? asked + " of a GPU released for each of " + pods + " pods"
          : (asked + " released on each of " + free.devices() + " GPUs of one node")
              + (pods == 1 ? "" : " for each of " + pods + " pods");
    }
    long lacks = free.mib() > 0 ? free.mib() - free.most() : free.millis() - free.most();
    if (lacks <= 0) {
      return "GPUs released";
    }
    String released = part(free, lacks, (int) lacks);
    return (free.mib() > 0 ? released : released + " of a GPU")
        + " released on "
        + (free.most() > 0
            ? "a GPU with " + part(free, free.most(), free.most()) + " free"
            : "one GPU");
  }

  /// On the nodes that lack the fewest; a further pod on any of them takes all that it asks for.
  private static String releasedWhole(Free free, int pods) {
    int left = pods;
    long total = 0;
    int lacksFirst = 0;
    int lacksLast = 0;
    for (int i = 0; i < free.lacking().size() && left > 0; i++) {
      int nodes = Math.min(left, free.lacking().get(i));
      if (nodes > 0) {
        lacksFirst = lacksFirst == 0 ? i + 1 : lacksFirst;
        lacksLast = i + 1;
        total += (long) nodes * (i + 1);
        left -= nodes;
      }
    }
    if (total == 0) {
      return "GPUs released";
    }
    total += (long) left * free.devices();
    String released = total == 1 ? "1 GPU released" : total + " GPUs released";
    if (free.devices() == 1) {
      return released;
    }
    if (pods == 1) {
      boolean isAnyFree = lacksFirst < free.devices();
      return released
          + (isAnyFree
              ? " on a node with " + (free.devices() - lacksFirst) + " free"
              : " on one node");
    }
    return left == 0 && lacksFirst == lacksLast
        ? released + ", " + lacksFirst + " on each of " + pods + " nodes"
        : released + ", so that each of " + pods + " pods finds " + free.devices() + " on one node";
  }

  private static String notProven(Reason.Sought sought, int tried, int of) {
    return switch (sought) {
      case NODES ->
          "the search ended after " + tried + " of " + of + " nodes, so a place may exist";
      case VICTIMS ->
          "the search for who could make room ended after "
              + (tried + " of " + of + " steps of others, so they may be able to");
      case VICTIM_SETS ->
          "Berth still searches for pods that could make room: "
              + (tried + " sets tried so far among " + count(of, "candidate"));
    };
  }

  private static String volume(Reason.VolumeNotReady waits) {
    var volume = waits.volume();
    String claim = "PersistentVolumeClaim " + volume.claim();
    String ofPod = claim + " of pod " + waits.pod();
    return switch (volume.lack()) {
      case MISSING ->
          volume.ephemeral()
              ? ofPod + " is still to be made"
              : "pod " + waits.pod() + " names " + claim + ", which does not exist";
      case NOT_BOUND ->
          (ofPod + " has no volume yet, and ")
              + (volume.storageClass().isEmpty()
                  ? "names no StorageClass"
                  : "StorageClass " + volume.storageClass() + " is not WaitForFirstConsumer");
      case NO_CLASS ->
          (ofPod + " has no volume yet, and StorageClass " + volume.storageClass())
              + ", which it names, does not exist";
      case NAMES_VOLUME -> ofPod + " names its volume and is not bound to it yet";
      case NO_VOLUME -> ofPod + " is bound to a volume that does not exist";
      case LOST -> ofPod + " has lost its volume";
      case DELETED -> ofPod + " is being deleted";
      case NONE -> throw new IllegalArgumentException(ofPod + " lacks nothing");
    };
  }

  private static String helpsVolume(Reason.VolumeNotReady waits) {
    var volume = waits.volume();
    return switch (volume.lack()) {
      case MISSING ->
          volume.ephemeral()
              ? "nothing to do: kube-controller-manager makes it"
              : "a PersistentVolumeClaim " + volume.claim() + ", or another name";
      case NO_CLASS -> "a StorageClass " + volume.storageClass() + ", or another claim";
      case NOT_BOUND -> "a volume for it: kubectl describe pvc tells why it has none";
      case NAMES_VOLUME -> "that volume: kubectl describe pvc tells why it is not bound";
      case NO_VOLUME, LOST, DELETED -> "another PersistentVolumeClaim";
      case NONE -> "";
    };
  }

  private static String starting(Reason.Starting starting) {
    int leaving = starting.leaving();
    int holders = starting.holders();
    return leaving(leaving, starting.left())
        + (holders > 0 ? ", " + count(holders, "GPU") + " must be held first" : "")
        + (starting.steps().isEmpty() ? "" : ": " + String.join("; ", starting.steps()));
  }

  private static String leaving(int leaving, int left) {
    if (leaving == 0) {
      return "";
    }
    return left == 0
        ? ", " + count(leaving, "pod") + " must leave first"
        : (", " + left + " of " + count(left + leaving, "pod") + (left == 1 ? " has" : " have"))
            + (" left and " + leaving + " must still leave");
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
