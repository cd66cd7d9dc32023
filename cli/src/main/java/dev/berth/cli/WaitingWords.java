package dev.berth.cli;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.world.ObjectTree;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What Berth has written on pods of why they wait.
final class WaitingWords {
  /// After the code of the reason.
  private static final Pattern OURS = Pattern.compile("[A-Z][A-Za-z]+: (Waits: .+)");

  private WaitingWords() {}

  /// By pod, without the code.
  static SortedMap<PodKey, String> of(Scenario cluster) {
    var words = new TreeMap<PodKey, String>();
    for (var item : cluster.objects()) {
      if (item.kind().equals("Pod")) {
        var said = OURS.matcher(said(item.object()));
        if (said.matches()) {
          String namespace = ObjectTree.text(item.object(), "metadata", "namespace");
          words.put(new PodKey(namespace, ObjectTree.name(item.object())), said.group(1));
        }
      }
    }
    return Collections.unmodifiableSortedMap(words);
  }

  /// The annotation, or else the condition.
  private static String said(Map<String, Object> pod) {
    String annotated = ObjectTree.text(pod, "metadata", "annotations", WellKnownNames.WAITING);
    if (!annotated.isEmpty()) {
      return annotated;
    }
    for (var condition : ObjectTree.maps(pod, "status", "conditions")) {
      boolean isIt =
          ObjectTree.text(condition, "type").equals("PodScheduled")
              && ObjectTree.text(condition, "status").equals("False");
      if (isIt) {
        return ObjectTree.text(condition, "message");
      }
    }
    return "";
  }
}
