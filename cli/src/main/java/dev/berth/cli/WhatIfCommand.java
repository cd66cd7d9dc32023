package dev.berth.cli;

import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth what-if`: the plan that would follow from changes.
@Command(
    name = "what-if",
    mixinStandardHelpOptions = true,
    description =
        "Tells what would follow from changes to the cluster of a dump or scenario: which workloads"
            + " would start, be evicted, or wait for another reason. Nothing is changed. Exit"
            + " status 0 if it was told, 2 if not.")
final class WhatIfCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "What kubectl get -o yaml wrote, or a Scenario. It is played until it rests.")
  private Path file = Path.of("");

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
    try {
      var played = PlayedFile.of(file);
      var changes = changes(played);
      if (changes.isEmpty()) {
        throw new ScenarioException(
            List.of("no change is named: --limit, --quota, --drain, … (--help lists them)"));
      }
      tell(played.whatIf().outcome(changes));
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private List<Change> changes(PlayedFile played) throws ScenarioException {
    var world = played.ending().snapshot();
    var remedies = new ArrayList<Remedy>();
    for (var each : limits.entrySet()) {
      var queue = queue(world, each.getKey());
      remedies.add(
          new Remedy.RaiseLimit(
              queue.name(),
              Resource.GPU,
              queue.limitOf(Resource.GPU),
              gpus("--limit", each.getKey(), each.getValue())));
    }
    for (var each : quotas.entrySet()) {
      var queue = queue(world, each.getKey());
      remedies.add(
          new Remedy.RaiseQuota(
              queue.name(),
              Resource.GPU,
              queue.quota().of(Resource.GPU),
              gpus("--quota", each.getKey(), each.getValue())));
    }
    for (var each : added.entrySet()) {
      if (each.getValue() < 1) {
        throw new ScenarioException(
            List.of(
                "--add-nodes " + each.getKey() + "=" + each.getValue() + ": must be 1 or more"));
      }
      remedies.add(new Remedy.AddNodes(each.getValue(), node(world, each.getKey())));
    }
    var changes = new ArrayList<>(Counterfactuals.changes(world, GroupKey.NONE, remedies));
    for (String name : removedQueues) {
      changes.add(new Change.RemoveQueue(queue(world, name).name()));
    }
    for (String name : drained) {
      changes.add(new Change.DrainNode(node(world, name)));
    }
    for (String name : ended) {
      changes.add(new Change.RemoveGroup(played.group(name)));
    }
    return changes;
  }

  private static Queue queue(Snapshot world, String name) throws ScenarioException {
    for (Queue queue : world.queues()) {
      if (queue.name().equals(new QueueName(name))) {
        return queue;
      }
    }
    throw new ScenarioException(
        List.of(
            "there is no queue "
                + name
                + "; there are "
                + String.join(
                    ", ", world.queues().stream().map(each -> each.name().value()).toList())));
  }

  private static NodeName node(Snapshot world, String name) throws ScenarioException {
    var node = new NodeName(name);
    if (world.node(node).isEmpty()) {
      throw new ScenarioException(List.of("there is no node " + name));
    }
    return node;
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
    if (outcome.differs().isEmpty()) {
      out.println("The plan would be the same.");
    }
    for (WhatIf.Difference each : outcome.differs()) {
      out.println(
          each.group() + ": " + words(each.after()) + " (now: " + words(each.before()) + ")");
    }
  }

  private static String words(Optional<Decision> decision) {
    return decision.map(WhatIfCommand::words).orElse("stays as it is");
  }

  private static String words(Decision decision) {
    return switch (decision) {
      case Decision.Reserve reserve -> {
        int pods = reserve.block().size() + reserve.surplus().size();
        int victims = reserve.victims().size();
        yield "starts with "
            + pods
            + (pods == 1 ? " pod" : " pods")
            + (victims == 0 ? "" : ", for which " + victims + " would be evicted");
      }
      case Decision.Evict evict -> "is evicted, " + evict.victims().size() + " pods";
      case Decision.Withdraw _ -> "is planned anew";
      case Decision.Wait(_, var reason, var ahead) -> Sentences.of(reason, ahead);
    };
  }
}
