p='engine/src/main/java/dev/berth/engine/session/QueueLimits.java'
s=open(p).read()
a=s.index('  /// Whether the first resource that a queue would'); b=s.index('  private static Reason overLimit(QueueName')
s=s[:a]+s[b:]
a=s.index('      var beyondLimit = beyondLimit(queues, q, charge);'); b=s.index('    var besides = all.subList')
s=s[:a]+'''      var beyondLimit = beyondLimit(queues, q, charge);
      if (!beyondLimit.isEmpty()) {
        all.add(overLimit(queues.queue(q).name(), beyondLimit));
      }
      var beyondQuota =
          group.mayBorrow() ? List.<Reason.Excess>of() : beyondQuota(queues, q, charge);
      if (!beyondQuota.isEmpty()) {
        all.add(overQuota(queues.queue(q).name(), beyondQuota, group));
      }
    }
'''+s[b:]
s=s.replace("import dev.berth.engine.model.Reason;","import dev.berth.engine.model.QueueName;\nimport dev.berth.engine.model.Reason;")
open(p,'w').write(s)
p='engine/src/main/java/dev/berth/engine/explain/Sentences.java'
s=open(p).read()
s=s.replace('''      case OverLimit over ->
          LimitSentences.overLimit(over) + LimitSentences.counted(over.counted());
      case NonPreemptibleOverQuota over ->
          LimitSentences.overQuota(over) + LimitSentences.counted(over.counted());
''','''      case OverLimit over ->
          LimitSentences.overLimit(over)
              + LimitSentences.counted(over.counted())
              + besides(over.besides());
      case NonPreemptibleOverQuota over ->
          LimitSentences.overQuota(over)
              + LimitSentences.counted(over.counted())
              + besides(over.besides());
''')
s=s.replace('''+ (besides.isEmpty() ? "" : "; besides, " + what(besides.getFirst()));''','''+ besides(besides);''')
a=s.index('      case OverLimit over ->\n          over.isForGood()'); b=s.index('      case NoRoom none -> RoomSentences.helpsRoom(none);')
s=s[:a]+'''      case OverLimit over -> LimitSentences.helpsLimit(over) + andHelps(over.besides());
      case NonPreemptibleOverQuota over ->
          LimitSentences.helpsQuota(over) + andHelps(over.besides());
'''+s[b:]
s=s.replace('''  private static String named(List<DisruptionBudget.Key> budgets) {''','''  private static String besides(List<Reason> others) {
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

  private static String named(List<DisruptionBudget.Key> budgets) {''')
s=s.replace("import java.util.List;","import java.util.List;\nimport java.util.stream.Collectors;")
open(p,'w').write(s)
p='engine/src/main/java/dev/berth/engine/explain/LimitSentences.java'
s=open(p).read()
s=s.replace('''  static String overQuota(NonPreemptibleOverQuota over) {''','''  static String helpsLimit(OverLimit over) {
    if (over.isForGood()) {
      return "a limit of " + amounts(over.excesses(), LimitSentences::needed) + " or more, or a smaller request";
    }
    return amounts(over.excesses(), each -> each.used() + each.asked() - each.most())
        + (" released in " + over.queue())
        + (", or a limit of " + amounts(over.excesses(), LimitSentences::sum));
  }

  static String helpsQuota(NonPreemptibleOverQuota over) {
    return ("a quota of " + amounts(over.excesses(), LimitSentences::sum) + " in " + over.queue())
        + (", or " + preemptible(over.stays()));
  }

  static String overQuota(NonPreemptibleOverQuota over) {''',1)
open(p,'w').write(s)
p='controllers/src/main/java/dev/berth/controllers/groups/PendingReason.java'
s=open(p).read()
s=s.replace('''  String bound() {
    return switch (reason) {
      case Reason.OverLimit over -> bound(over.queue(), over.excesses());
      case Reason.NonPreemptibleOverQuota over -> bound(over.queue(), over.excesses());
      default -> "";
    };
  }
''','''  String bound() {
    return bound(reason);
  }

  private static String bound(Reason reason) {
    return switch (reason) {
      case Reason.OverLimit over -> bound(over.queue(), over.excesses()) + bounds(over.besides());
      case Reason.NonPreemptibleOverQuota over ->
          bound(over.queue(), over.excesses()) + bounds(over.besides());
      case Reason.NeverFits never -> bounds(never.besides());
      default -> "";
    };
  }

  private static String bounds(List<Reason> besides) {
    return besides.stream().map(PendingReason::bound).collect(Collectors.joining());
  }
''')
s=s.replace('Collectors.joining(",", queue + ":", "")','Collectors.joining(",", queue + ":", ";")')
open(p,'w').write(s)
open('engine/src/main/java/dev/berth/engine/action/ReportRoomBesides.java','w').write('''package dev.berth.engine.action;

import dev.berth.engine.model.Reason;
import dev.berth.engine.placement.PlacementOutcome;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Says of groups that a limit or quota refuses where no node would have room for them either:
/// another limit alone does not help them. Nothing else changes.
///
/// Room is looked for as the round leaves it, for [#MOST] different steps of a round; the groups
/// beyond are told the limit or quota alone.
public final class ReportRoomBesides implements Action {
  private static final int MOST = 64;

  /// Steps that find room, or none, alike.
  private record Alike(int podClass, int members, boolean together) {}

  @Override
  public void run(Round round) {
    var session = round.session();
    var known = new HashMap<Alike, Optional<Reason>>(); // looked up only
    int looks = 0;
    for (Group group : session.refused()) {
      var refusal = session.reason(group).filter(ReportRoomBesides::isOfQueue);
      var step = refusal.isPresent() ? group.next() : Optional.<PlacementStep>empty();
      if (step.isEmpty()) {
        continue;
      }
      var alike =
          new Alike(
              step.get().all().getFirst().podClass().id(),
              step.get().all().size(),
              group.isBelowMinimum());
      boolean isAlike = round.blocks().areAlike(step.get());
      var room = isAlike ? known.get(alike) : null;
      if (room == null && looks++ < MOST) {
        room = noRoom(round, group, step.get());
        if (isAlike) {
          known.put(alike, room);
        }
      }
      if (room != null && room.isPresent()) {
        session.waits(group, told(refusal.get(), room.get()));
      }
    }
  }

  private static boolean isOfQueue(Reason reason) {
    return reason instanceof Reason.OverLimit || reason instanceof Reason.NonPreemptibleOverQuota;
  }

  private static Optional<Reason> noRoom(Round round, Group group, PlacementStep step) {
    Session session = round.session();
    try (Statement _ = session.open()) {
      return switch (round.blocks().place(step, group.isBelowMinimum())) {
        case PlacementOutcome.Refused(Reason reason) -> Optional.of(reason);
        case PlacementOutcome.Placed() -> Optional.empty();
      };
    }
  }

  /// Where no node is ever large enough, no limit helps: that is told first.
  private static Reason told(Reason refusal, Reason room) {
    if (room instanceof Reason.NeverFits never) {
      return never.besides(refusal);
    }
    return switch (refusal) {
      case Reason.OverLimit over -> over.besides(and(over.besides(), room));
      case Reason.NonPreemptibleOverQuota over -> over.besides(and(over.besides(), room));
      default -> refusal;
    };
  }

  private static List<Reason> and(List<Reason> others, Reason room) {
    var all = new ArrayList<>(others);
    if (room instanceof Reason.NoRoom) {
      all.add(room);
    }
    return all;
  }
}
''')
p='engine/src/main/java/dev/berth/engine/PlanningRound.java'
s=open(p).read()
s=s.replace('''    actions.add(new ReportUnplaced());
''','''    actions.add(new ReportUnplaced());
    actions.add(new ReportRoomBesides());
''')
s=s.replace("import dev.berth.engine.action.ReportMovesSpent;","import dev.berth.engine.action.ReportMovesSpent;\nimport dev.berth.engine.action.ReportRoomBesides;")
open(p,'w').write(s)
