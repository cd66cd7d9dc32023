package dev.berth.simulator.scenario;

import dev.berth.simulator.scenario.Expectations.OfPod;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// Holds the end of a run against what was expected, and tells each expectation that is not met
/// with what was seen instead.
public final class Judge {
  private final Ending ending;
  private final List<String> unmet = new ArrayList<>();
  private final TreeSet<String> toldWhy = new TreeSet<>();

  private Judge(Ending ending) {
    this.ending = ending;
  }

  /// Every expectation that is not met, in words; empty when all are.
  public static List<String> unmet(Ending ending) {
    var judge = new Judge(ending);
    judge.judge();
    return List.copyOf(judge.unmet);
  }

  private void judge() {
    if (!ending.unrest().isEmpty()) {
      unmet.add(ending.unrest());
    }
    if (!ending.internalErrors().isEmpty()) {
      unmet.add("a planning cycle failed: " + ending.internalErrors().getFirst());
    }
    var expected = ending.scenario().expectations();
    expected.pods().forEach(this::judge);
    expected.running().forEach(this::judge);
    expected.mostEvictions().ifPresent(this::judgeEvictions);
  }

  private void judge(String name, OfPod expected) {
    var pod = ending.pods().get(name);
    if (pod == null) {
      unmet.add(name + ": expected " + words(expected) + ", but there is no such pod");
      return;
    }
    boolean phase = expected.phase() == Phase.ANY || expected.phase() == phase(pod);
    boolean node = expected.nodeIn().isEmpty() || expected.nodeIn().contains(pod.node());
    if (!phase || !node) {
      unmet.add(name + ": expected " + words(expected) + ", but it is " + seen(pod) + why(pod));
    }
  }

  private static String words(OfPod expected) {
    String phase = expected.phase().word();
    return expected.nodeIn().isEmpty()
        ? phase
        : (phase.isEmpty() ? "" : phase + " ") + "on " + String.join(" or ", expected.nodeIn());
  }

  private static String seen(PodView pod) {
    String message = ObjectTree.text(pod.tree(), "status", "message");
    return phase(pod).word()
        + (pod.node().isEmpty() ? "" : " on " + pod.node())
        + (phase(pod) == Phase.FAILED && !message.isEmpty() ? " (" + message + ")" : "");
  }

  static Phase phase(PodView pod) {
    return switch (pod.phase()) {
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      case String _ when pod.isLeaving() -> Phase.TERMINATING;
      case String _ -> pod.node().isEmpty() ? Phase.PENDING : Phase.RUNNING;
    };
  }

  /// Said once: members of a gang wait for the same reason.
  private String why(PodView pod) {
    if (phase(pod) != Phase.PENDING) {
      return "";
    }
    String why = Waiting.why(ending, pod);
    return toldWhy.add(why) ? ". " + why : "";
  }

  private void judge(String group, int expected) {
    var members =
        ending.pods().values().stream().filter(pod -> Workloads.of(pod).equals(group)).toList();
    var running = new ArrayList<String>();
    String why = "";
    for (var pod : members) {
      if (phase(pod) == Phase.RUNNING) {
        running.add(pod.name().substring(pod.name().indexOf('/') + 1));
      } else if (why.isEmpty()) {
        why = why(pod);
      }
    }
    if (members.isEmpty() && expected > 0) {
      unmet.add(group + ": expected " + expected + " running, but there is no such pod");
    } else if (running.size() != expected) {
      unmet.add(
          group
              + ": expected "
              + expected
              + " running, but there are "
              + running.size()
              + (running.isEmpty() ? "" : " (" + String.join(", ", running) + ")")
              + (running.size() < expected ? why : ""));
    }
  }

  private void judgeEvictions(int most) {
    int there = ending.evictions().size();
    if (there > most) {
      var causes = causes();
      var words = new ArrayList<String>();
      ending
          .evictions()
          .forEach(eviction ->
              words.add(Names.of(eviction.pod()) + causes.getOrDefault(eviction.uid(), "")));
      unmet.add(
          "evictions: expected at most "
              + most
              + ", but there were "
              + there
              + ": "
              + String.join(", ", words));
    }
  }

  /// Why each victim had to leave, by its UID.
  private TreeMap<String, String> causes() {
    var causes = new TreeMap<String, String>();
    for (var round : ending.rounds()) {
      for (var decision : round.plan().decisions()) {
        for (var victim : DecidedCycle.victims(decision)) {
          causes.put(victim.uid().value(), " (" + Causes.of(victim) + ")");
        }
      }
    }
    return causes;
  }
}
