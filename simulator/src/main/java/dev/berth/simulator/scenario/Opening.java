package dev.berth.simulator.scenario;

import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;

/// The start: puts the objects of a scenario into an empty world as they are.
///
/// A pod that should have been gone for longer than [#HANGS] hangs: its node does not answer, and
/// it never goes.
final class Opening {
  private static final Duration HANGS = Duration.ofMinutes(5);

  private Opening() {}

  static void play(Scenario scenario, World world) {
    for (var item : scenario.objects()) {
      var object = item.object();
      world.adopt(item.watched(), hangs(object, scenario.now()) ? hanging(object) : object);
    }
  }

  private static boolean hangs(Map<String, ?> object, Instant now) {
    String deletion = ObjectTree.text(object, "metadata", "deletionTimestamp");
    try {
      return !deletion.isEmpty() && Instant.parse(deletion).plus(HANGS).isBefore(now);
    } catch (DateTimeException noTime) {
      return false;
    }
  }

  private static Map<String, Object> hanging(Map<String, ?> object) {
    var copy = ObjectTree.thaw(object);
    ObjectTree.under(ObjectTree.under(copy, "metadata"), "annotations")
        .put(Kubelet.TERMINATION, Kubelet.NEVER);
    return copy;
  }

  /// The schedulers that the pods of a scenario name, besides Berth's.
  static TreeSet<String> otherSchedulers(Scenario scenario, String ours) {
    var names = new TreeSet<String>();
    for (var item : scenario.objects()) {
      if (item.kind().equals("Pod")) {
        String named = ObjectTree.text(item.object(), "spec", "schedulerName");
        names.add(WellKnownNames.scheduler(named));
      }
    }
    names.remove(ours);
    return names;
  }
}
