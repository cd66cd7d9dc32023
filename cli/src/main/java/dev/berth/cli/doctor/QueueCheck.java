package dev.berth.cli.doctor;

import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Queue;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.QueueResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the API server took in Queues, and Berth cannot use.
final class QueueCheck {
  private static final String GROUP = "queues/";

  private QueueCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    var queues = facts.items(Source.QUEUES);
    for (Map<?, ?> object : queues) {
      QueueManifest.read(object).ifPresent(queue -> look(queue, findings));
    }
    if (findings.isEmpty() && !queues.isEmpty()) {
      findings.add(Finding.ok(GROUP + "Read", "queues", "every field of them is used"));
    }
    return findings;
  }

  private static void look(Queue queue, List<Finding> findings) {
    String object = "queue " + queue.name();
    for (Problem problem : queue.problems()) {
      findings.add(
          Finding.warn(
              GROUP + "BadRequest",
              object,
              words(problem) + ": nothing starts in this queue",
              edit(queue)));
    }
    for (Problem problem : QueueResources.problems(queue)) {
      findings.add(Finding.warn(GROUP + "UnknownResource", object, words(problem), edit(queue)));
    }
  }

  private static String words(Problem problem) {
    String rule = problem.rule();
    String end = rule.endsWith(".") ? rule.substring(0, rule.length() - 1) : rule;
    return "has " + problem.field() + " \"" + problem.value() + "\", but " + end;
  }

  private static String edit(Queue queue) {
    return "Correct it with kubectl edit queues.berth.dev " + queue.name() + ".";
  }
}
