package dev.berth.simulator.scenario;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.simulator.scenario.Expectations.OfPod;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.world.PodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/// Holds the end of a run against what was expected, and tells each expectation that is not met
/// with what was seen instead.
public final class Judge {
  private final Ending ending;
  private final List<String> unmet = new ArrayList<>();

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
    if (!ending.mistakes().isEmpty()) {
      unmet.add("a planning cycle failed: " + ending.mistakes().getFirst());
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
    return phase(pod).word() + (pod.node().isEmpty() ? "" : " on " + pod.node());
  }

  static Phase phase(PodView pod) {
    return switch (pod.phase()) {
      case "Succeeded" -> Phase.SUCCEEDED;
      case "Failed" -> Phase.FAILED;
      case String _ when pod.isLeaving() -> Phase.TERMINATING;
      case String _ -> pod.node().isEmpty() ? Phase.PENDING : Phase.RUNNING;
    };
  }

  private String why(PodView pod) {
    if (phase(pod) != Phase.PENDING) {
      return "";
    }
    return ". " + Waiting.why(ending, pod);
  }

  private void judge(String group, int expected) {
    var running = new ArrayList<String>();
    for (var pod : ending.pods().values()) {
      if (Groups.of(pod).equals(group) && phase(pod) == Phase.RUNNING) {
        running.add(pod.name().substring(pod.name().indexOf('/') + 1));
      }
    }
    if (running.size() != expected) {
      var key =
          new GroupKey(
              group.substring(0, group.indexOf('/')), group.substring(group.indexOf('/') + 1));
      var reason = ending.waits().get(key);
      unmet.add(
          group
              + ": expected "
              + expected
              + " running, but there are "
              + running.size()
              + (running.isEmpty() ? "" : " (" + String.join(", ", running) + ")")
              + (reason == null ? "" : ". " + Sentences.of(reason)));
    }
  }

  private void judgeEvictions(int most) {
    int there = ending.evictions().size();
    if (there > most) {
      var causes = causes();
      var words = new ArrayList<String>();
      ending
          .evictions()
          .forEach(eviction -> words.add(eviction.pod() + causes.getOrDefault(eviction.uid(), "")));
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
        var victims =
            switch (decision) {
              case Decision.Reserve reserve -> reserve.victims();
              case Decision.Evict evict -> evict.victims();
              case Decision.Wait _ -> List.<Decision.Victim>of();
            };
        for (var victim : victims) {
          causes.put(
              victim.uid().value(),
              " ("
                  + victim.cause().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                  + " for "
                  + victim.beneficiary()
                  + ")");
        }
      }
    }
    return causes;
  }
}
