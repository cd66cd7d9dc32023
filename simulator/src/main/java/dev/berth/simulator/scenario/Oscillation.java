package dev.berth.simulator.scenario;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// What keeps going round in a run that does not come to rest: the groups with decisions in its
/// later half.
final class Oscillation {
  private static final int NAMED = 5;

  /// How often a group was given places and a pod of it had to leave.
  private static final class Repeats {
    private int planned;
    private int evicted;

    private String words(String name) {
      var words = new ArrayList<String>();
      if (evicted > 0) {
        words.add("evicted " + times(evicted));
      }
      if (planned > 0) {
        words.add("planned " + times(planned));
      }
      return name + " (" + String.join(", ", words) + ")";
    }

    private static String times(int number) {
      return number == 1 ? "once" : number + " times";
    }
  }

  private Oscillation() {}

  static String among(List<DecidedCycle> rounds) {
    var later = rounds.subList(rounds.size() / 2, rounds.size());
    var turns = new TreeMap<String, Repeats>();
    for (DecidedCycle round : later) {
      for (Decision decision : round.plan().decisions()) {
        if (decision instanceof Decision.Reserve) {
          of(turns, Names.of(decision.group())).planned++;
        }
        for (Victim victim : DecidedCycle.victims(decision)) {
          of(turns, Names.of(victim.pod())).evicted++;
        }
      }
    }
    var busiest = new ArrayList<>(turns.keySet());
    busiest.sort(
        Comparator.comparingInt((String name) -> -of(turns, name).planned - of(turns, name).evicted)
            .thenComparing(name -> name));
    var words = new ArrayList<String>();
    for (String name : busiest.subList(0, Math.min(NAMED, busiest.size()))) {
      words.add(of(turns, name).words(name));
    }
    return "never comes to rest: in the last "
        + later.size()
        + " of "
        + rounds.size()
        + " rounds these go round: "
        + String.join(", ", words)
        + (busiest.size() > NAMED ? " and " + (busiest.size() - NAMED) + " more" : "");
  }

  private static Repeats of(TreeMap<String, Repeats> turns, String name) {
    return turns.computeIfAbsent(name, _ -> new Repeats());
  }
}
