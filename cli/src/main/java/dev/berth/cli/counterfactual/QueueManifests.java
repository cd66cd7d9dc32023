package dev.berth.cli.counterfactual;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.QueueManifest;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Queues of a file, as `kubectl apply` takes them: YAML or JSON, several documents, a `List`.
final class QueueManifests {
  private QueueManifests() {}

  /// @param logged the queues of the log, to which these are added, or which they replace
  /// @return those of the file, by name
  /// @throws ScenarioException with all that is wrong, each with its file, object, field and value
  static SortedMap<QueueName, Queue> read(Path file, SortedMap<QueueName, Queue> logged)
      throws ScenarioException {
    var wrongs = new ArrayList<String>();
    var queues = new TreeMap<QueueName, Queue>();
    for (Path each : ScenarioFiles.in(List.of(file))) {
      var found = ScenarioFiles.read(each);
      found.wrong().lines().forEach(line -> wrongs.add(each + ": " + line));
      if (found.wrong().isEmpty() && found.all().isEmpty()) {
        wrongs.add(each + ": there is no object: give manifests of kind Queue");
      }
      for (Scenario objects : found.all()) {
        read(each, objects, queues, wrongs);
      }
    }
    if (wrongs.isEmpty()) {
      wrongs.addAll(flaws(file, queues, logged));
    }
    if (!wrongs.isEmpty()) {
      throw new ScenarioException(wrongs);
    }
    return queues;
  }

  private static void read(
      Path file, Scenario objects, TreeMap<QueueName, Queue> queues, List<String> wrongs) {
    objects.warnings().forEach(warning -> wrongs.add(file + ": " + warning));
    var all = new ArrayList<>(objects.objects());
    all.addAll(objects.ignored());
    for (Scenario.Item item : all) {
      var queue =
          item.kind().equals("Queue") ? QueueManifest.read(item.object()) : Optional.<Queue>empty();
      if (queue.isEmpty()) {
        wrongs.add(
            file
                + ": kind is \""
                + item.kind()
                + "\" on one object, but must be Queue: queues alone can be other than in the"
                + " log. Take that object out");
      } else if (queues.put(queue.get().name(), queue.get()) != null) {
        wrongs.add(file + ": Queue " + queue.get().name() + " is there already: name it once");
      }
    }
  }

  /// What no queue of the file alone shows: parents.
  private static List<String> flaws(
      Path file, SortedMap<QueueName, Queue> queues, SortedMap<QueueName, Queue> logged) {
    var all = new TreeMap<>(logged);
    all.putAll(queues);
    var names = all.keySet().stream().map(QueueName::value).toList();
    var flaws = new ArrayList<String>();
    for (Queue queue : queues.values()) {
      var parent = queue.parent();
      String told = file + ": spec.parent on Queue " + queue.name() + " is \"" + parent + "\"";
      if (!parent.isNone() && !all.containsKey(parent)) {
        flaws.add(
            told
                + ", but there is no such queue in the file or in the log"
                + Spelling.hint(parent.value(), names)
                + ". Name one of "
                + String.join(", ", names)
                + ", or leave it out for a queue at the top");
      } else if (isInACircle(queue, all)) {
        flaws.add(
            told
                + ", but that is below "
                + queue.name()
                + " itself. Name a queue that is not, or leave it out for a queue at the top");
      }
    }
    return flaws;
  }

  private static boolean isInACircle(Queue queue, SortedMap<QueueName, Queue> all) {
    var seen = new HashSet<QueueName>();
    var at = queue;
    while (at != null && seen.add(at.name())) {
      at = all.get(at.parent());
    }
    return at != null && at.name().equals(queue.name());
  }
}
