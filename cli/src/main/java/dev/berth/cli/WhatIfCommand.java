package dev.berth.cli;

import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.Departure;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth what-if`: the plan that would follow from changes.
@Command(
    name = "what-if",
    mixinStandardHelpOptions = true,
    description =
        "Tells what would follow from changes to a cluster: which workloads would start, be"
            + " evicted, or wait for another reason. Changes nothing. Exit status 0 if it was told,"
            + " 2 if not.")
final class WhatIfCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();

  @Option(
      names = "--limit",
      paramLabel = "QUEUE=GPUS",
      description = "The GPU limit of a queue would be this.")
  private Map<String, String> limits = new LinkedHashMap<>();

  @Option(
      names = "--quota",
      paramLabel = "QUEUE=GPUS",
      description = "The GPU quota of a queue would be this.")
  private Map<String, String> quotas = new LinkedHashMap<>();

  @Option(
      names = "--remove-queue",
      paramLabel = "QUEUE",
      description = "The queue would be deleted.")
  private List<String> removedQueues = List.of();

  @Option(names = "--drain", paramLabel = "NODE", description = "The node would be drained.")
  private List<String> drained = List.of();

  @Option(
      names = "--add-nodes",
      paramLabel = "NODE=COUNT",
      description = "There would be so many more empty nodes like this one.")
  private Map<String, Integer> added = new LinkedHashMap<>();

  @Option(names = "--end", paramLabel = "WORKLOAD", description = "The workload would end.")
  private List<String> ended = List.of();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  WhatIfCommand() {
    this(System.out, System.err);
  }

  WhatIfCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    return source.ask(this::tell, errors);
  }

  private void tell(AskedCluster cluster) throws ScenarioException {
    var changes = changes(cluster);
    if (changes.isEmpty()) {
      throw new ScenarioException(
          List.of("no change is named: --limit, --quota, --drain, … (--help lists them)"));
    }
    tell(cluster.whatIf().outcome(changes));
  }

  private List<Change> changes(AskedCluster cluster) throws ScenarioException {
    var world = cluster.snapshot();
    var queues = new LinkedHashMap<QueueName, Queue>(); // as they would be
    for (var each : limits.entrySet()) {
      var queue = NamedQueue.of(world, each.getKey());
      long gpus = gpus("--limit", each.getKey(), each.getValue());
      queues.put(queue.name(), Change.withLimit(queue, Resource.GPU, gpus));
    }
    for (var each : quotas.entrySet()) {
      var queue = NamedQueue.of(world, each.getKey());
      long gpus = gpus("--quota", each.getKey(), each.getValue());
      var changed = queues.getOrDefault(queue.name(), queue);
      queues.put(queue.name(), Change.withQuota(changed, Resource.GPU, gpus));
    }
    var changes = new ArrayList<Change>();
    queues.values().forEach(queue -> changes.add(new Change.SetQueue(queue)));
    for (var each : added.entrySet()) {
      if (each.getValue() < 1) {
        throw new ScenarioException(
            List.of(
                "--add-nodes " + each.getKey() + "=" + each.getValue() + ": must be 1 or more"));
      }
      changes.addAll(Change.addNodes(each.getValue(), node(world, each.getKey())));
    }
    for (String name : removedQueues) {
      changes.add(new Change.RemoveQueue(NamedQueue.of(world, name).name()));
    }
    for (String name : drained) {
      changes.add(new Change.DrainNode(node(world, name).name()));
    }
    for (String name : ended) {
      changes.add(new Change.RemoveGroup(cluster.group(name)));
    }
    return changes;
  }

  private static NodeView node(Snapshot world, String name) throws ScenarioException {
    return world
        .node(new NodeName(name))
        .orElseThrow(() -> new ScenarioException(List.of("there is no node " + name)));
  }

  /// In thousandths, or unlimited.
  private static long gpus(String option, String queue, String text) throws ScenarioException {
    if (text.equals("unlimited")) {
      return Queue.UNLIMITED;
    }
    try {
      long millis = new BigDecimal(text).movePointRight(3).longValueExact();
      if (millis >= 0) {
        return millis;
      }
    } catch (NumberFormatException | ArithmeticException noNumber) {
      // told below
    }
    throw new ScenarioException(
        List.of(
            option
                + " "
                + queue
                + "="
                + text
                + ": must be a number of GPUs with up to three decimals, or unlimited"));
  }

  private void tell(WhatIf.Outcome outcome) {
    if (outcome.differs().isEmpty() && outcome.gone().isEmpty()) {
      out.println("The plan would be the same.");
    }
    outcome.gone().forEach(group -> out.println(group + ": is gone"));
    for (WhatIf.Difference each : outcome.differs()) {
      out.println(
          each.group() + ": " + words(each.after()) + " (now: " + words(each.before()) + ")");
    }
    outcome.departures().forEach(each -> out.println(each.group() + ": " + words(each)));
  }

  private static String words(Departure leaves) {
    var counts = new ArrayList<String>();
    if (leaves.evicted() > 0) {
      counts.add(
          Phrases.count(leaves.evicted(), "pod")
              + (leaves.evicted() == 1 ? " is" : " are")
              + " evicted");
    }
    if (leaves.moved() > 0) {
      counts.add(
          Phrases.count(leaves.moved(), "pod") + (leaves.moved() == 1 ? " is" : " are") + " moved");
    }
    return String.join(" and ", counts)
        + (leaves.beneficiary().equals(leaves.group()) ? "" : " for " + leaves.beneficiary());
  }

  private static String words(Optional<Decision> decision) {
    return decision.map(WhatIfCommand::words).orElse("stays as it is");
  }

  private static String words(Decision decision) {
    return switch (decision) {
      case Decision.Reserve reserve -> {
        int members = reserve.block().size() + reserve.surplus().size();
        int victims = reserve.victims().size();
        yield "starts with "
            + Phrases.count(members, "pod")
            + (victims == 0 ? "" : ", for which " + victims + " would be evicted");
      }
      case Decision.Evict evict -> "is evicted, " + Phrases.count(evict.victims().size(), "pod");
      case Decision.Withdraw _ -> "is planned anew";
      case Decision.Wait(_, var reason, var ahead) -> Sentences.of(reason, ahead);
    };
  }
}
