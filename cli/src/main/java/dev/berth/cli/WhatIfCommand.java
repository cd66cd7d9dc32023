package dev.berth.cli;

import dev.berth.engine.GroupPools;
import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.Quantities;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth what-if`: the plan that would follow from changes.
@Command(
    name = "what-if",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.TOLD, ExitStatus.NOT_TOLD},
    mixinStandardHelpOptions = true,
    description =
        "Tells what would follow from changes to a cluster: which workloads would start, be"
            + " evicted, or wait for another reason. Changes nothing.")
final class WhatIfCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();

  @Option(
      names = "--limit",
      paramLabel = "QUEUE[@POOL]=GPUS",
      description = "The GPU limit of a queue, or of a queue in a node pool, would be this.")
  private List<String> limits = List.of();

  @Option(
      names = "--quota",
      paramLabel = "QUEUE[@POOL]=GPUS",
      description = "The GPU quota of a queue, or of a queue in a node pool, would be this.")
  private List<String> quotas = List.of();

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

  private static final Pattern QUEUE_AND_GPUS =
      Pattern.compile(
          "([^=@]+)(?:@([^=]*))?=([0-9]{1,9}(?:[.][0-9]{1,3})?k?|[0-9]{1,12}m|unlimited)");

  private static final int FEW = 5; // nodes that one message names
  private static final int MOST_NODES = 100_000; // that are added of one kind; they take seconds

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
    boolean isAny =
        Stream.of(limits, quotas, removedQueues, drained, added.keySet(), ended)
            .anyMatch(changes -> !changes.isEmpty());
    if (!isAny) {
      errors.say("no change is named: --limit, --quota, --drain, … (--help lists them)");
      return 2;
    }
    return source.ask(this::tell, errors);
  }

  private void tell(AskedCluster cluster) throws ScenarioException {
    var changes = changes(cluster);
    var whatIf = cluster.whatIf();
    tell(whatIf.outcome(changes), cluster, whatIf.with(changes));
  }

  private List<Change> changes(AskedCluster cluster) throws ScenarioException {
    var world = cluster.snapshot();
    var queues = new LinkedHashMap<QueueName, Queue>(); // as they would be
    for (QueueGpus each : gpus("--limit", limits, cluster)) {
      var queue = NamedQueue.of(world, each.queue());
      var changed = queues.getOrDefault(queue.name(), queue);
      queues.put(queue.name(), Change.withLimit(changed, Resource.GPU, each.millis(), each.pool()));
    }
    for (QueueGpus each : gpus("--quota", quotas, cluster)) {
      var queue = NamedQueue.of(world, each.queue());
      var changed = queues.getOrDefault(queue.name(), queue);
      queues.put(queue.name(), Change.withQuota(changed, Resource.GPU, each.millis(), each.pool()));
    }
    var changes = new ArrayList<Change>();
    queues.values().forEach(queue -> changes.add(new Change.SetQueue(queue)));
    for (var each : added.entrySet()) {
      if (each.getValue() < 1 || each.getValue() > MOST_NODES) {
        throw new ScenarioException(
            List.of(
                "--add-nodes "
                    + each.getKey()
                    + "="
                    + each.getValue()
                    + ": must be from 1 to "
                    + MOST_NODES));
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
    return world.node(new NodeName(name)).orElseThrow(() -> unknownNode(world, name));
  }

  private static ScenarioException unknownNode(Snapshot world, String name) {
    var names = world.nodes().stream().map(node -> node.name().value()).toList();
    return new ScenarioException(
        List.of(
            "there is no node "
                + name
                + Spelling.hint(name, names)
                + (names.isEmpty() ? "" : "; there are " + Phrases.first(names, FEW))));
  }

  /// What `QUEUE[@POOL]=GPUS` says.
  ///
  /// @param pool the node pool; empty = the amount of the queue
  /// @param millis thousandths of GPUs, or [Queue#UNLIMITED]
  private record QueueGpus(String queue, Optional<String> pool, long millis) {
    boolean isOfSame(QueueGpus other) {
      return queue.equals(other.queue) && pool.equals(other.pool);
    }
  }

  private static List<QueueGpus> gpus(String option, List<String> values, AskedCluster cluster)
      throws ScenarioException {
    var found = new ArrayList<QueueGpus>();
    for (String value : values) {
      var parts = QUEUE_AND_GPUS.matcher(value);
      if (!parts.matches()) {
        throw new ScenarioException(
            List.of(
                option
                    + " "
                    + value
                    + ": must be a number of GPUs with up to three decimals, thousandths like 500m,"
                    + " or unlimited, of a queue, as in research=2.5, or of a queue in a node pool,"
                    + " as in research@h100=2.5"));
      }
      String text = parts.group(3);
      long millis =
          text.equals("unlimited") ? Queue.UNLIMITED : Quantities.milli(text).orElseThrow();
      var pool = Optional.ofNullable(parts.group(2));
      if (pool.isPresent()) {
        checkPool(option + " " + value, pool.get(), cluster);
      }
      var gpus = new QueueGpus(parts.group(1), pool, millis);
      if (found.stream().anyMatch(gpus::isOfSame)) {
        throw new ScenarioException(
            List.of(option + " " + value + ": queue " + parts.group(1) + " is named twice"));
      }
      found.add(gpus);
    }
    return found;
  }

  private static void checkPool(String told, String pool, AskedCluster cluster)
      throws ScenarioException {
    String label = cluster.settings().poolLabel();
    if (label.isEmpty()) {
      throw new ScenarioException(
          List.of(
              told
                  + ": nodes are not divided into pools (setting nodePools.label); leave @"
                  + pool
                  + " out"));
    }
    var pools = GroupPools.of(label, cluster.snapshot()).names();
    if (!pools.contains(pool)) {
      var names = pools.stream().filter(name -> !name.isEmpty()).toList();
      throw new ScenarioException(
          List.of(
              told
                  + ": no node is in pool "
                  + pool
                  + Spelling.hint(pool, names)
                  + (names.isEmpty() ? "" : "; there are " + Phrases.first(names, FEW))));
    }
  }

  /// @param after the cluster as it would be
  private void tell(WhatIf.Outcome outcome, AskedCluster cluster, Snapshot after) {
    var lines = new ArrayList<String>();
    outcome.gone().forEach(group -> lines.add(group + ": is gone"));
    outcome.losses().forEach(each -> lines.add(each.group() + ": " + each.words()));
    for (WhatIf.Difference each : outcome.differs()) {
      String then = words(each.after(), wait -> cluster.words(wait, after));
      String now = words(each.before(), cluster::words);
      if (!then.equals(now)) { // else it starts elsewhere, or with other victims
        lines.add(each.group() + ": " + then + " (now: " + now + ")");
      }
    }
    outcome.departures().forEach(each -> lines.add(each.group() + ": " + each.words()));
    if (lines.isEmpty()) {
      lines.add("The plan would be the same.");
    }
    lines.forEach(out::println);
  }

  /// @param waits why a group waits
  private static String words(Optional<Decision> decision, Function<Decision.Wait, String> waits) {
    return decision.map(each -> words(each, waits)).orElse("stays as it is");
  }

  private static String words(Decision decision, Function<Decision.Wait, String> waits) {
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
      case Decision.Wait wait -> waits.apply(wait);
    };
  }
}
