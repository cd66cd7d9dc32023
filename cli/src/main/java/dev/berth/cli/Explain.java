package dev.berth.cli;

import dev.berth.cli.demo.Screen;
import dev.berth.cli.lists.ForecastText;
import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.explain.IdleSentences;
import dev.berth.engine.explain.OrderText;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.explain.PlaceInOrder;
import dev.berth.engine.explain.StaleGangs;
import dev.berth.engine.fairness.Precedence;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Standing;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth explain`: why a workload waits, and what would let it start.
@Command(
    name = "explain",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.TOLD, ExitStatus.NOT_TOLD},
    mixinStandardHelpOptions = true,
    description =
        "Tells why a workload waits, and what would let it start, each proven by a plan over a copy"
            + " of the cluster. Changes nothing.")
final class Explain implements Callable<Integer> {
  @Mixin private PlansOption plans = new PlansOption();

  @Mixin private ClusterSource source = new ClusterSource();

  @Parameters(
      paramLabel = "WORKLOAD",
      description = "PodGroups or pods, NAMESPACE/NAME or NAME; all that wait if none is given.")
  private List<String> workloads = List.of();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Namespace of workloads that are named without one. Default: any.")
  private Optional<String> namespace = Optional.empty();

  private static final int MOST_TOLD = 10;

  /// What is more likely meant as a file. Others may be called as a workload is.
  private static final Pattern MANIFEST = Pattern.compile(".*\\.(yaml|yml|json)");

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  Explain() {
    this(System.out, System.err);
  }

  Explain(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    for (String name : workloads) {
      if (MANIFEST.matcher(name).matches() && Files.isRegularFile(Path.of(name))) {
        errors.say(name + " is a file: -f " + name);
        return 2;
      }
    }
    if (plans.flaw().isPresent()) {
      errors.say(plans.flaw().get());
      return 2;
    }
    return source.ask(namespace, this::tell, errors);
  }

  private void tell(AskedCluster cluster) throws ScenarioException {
    var keys = new ArrayList<GroupKey>();
    for (String name : workloads) {
      boolean isWhole = namespace.isEmpty() || name.contains("/");
      keys.add(cluster.group(isWhole ? name : namespace.get() + "/" + name));
    }
    if (workloads.isEmpty()) {
      keys.addAll(unstarted(cluster));
      keys.removeIf(key -> namespace.filter(name -> !name.equals(key.namespace())).isPresent());
      if (keys.isEmpty()) {
        out.println(
            "no workload waits" + namespace.map(name -> " in namespace " + name).orElse(""));
      }
    }
    if (!workloads.isEmpty()) {
      keys.forEach(key -> tell(cluster, key, List.of()));
      return;
    }
    var alike = alike(cluster, keys);
    int number = 0;
    for (List<GroupKey> each : alike) {
      if (alike.size() > 1 && Screen.isThere()) {
        errors.say(++number + " of " + alike.size() + ": " + each.getFirst());
      }
      tell(cluster, each.getFirst(), each.subList(1, each.size()));
    }
  }

  /// What decides what is told of a workload, but for its place among those that are like it.
  private record ExplanationKey(
      String namespace,
      QueueName queue,
      int priority,
      Preemptibility preemptibility,
      List<Pod.Asks> asks,
      Reason reason,
      String missingClass) {}

  /// Workloads that wait for the same and ask for the same, in the order of the first of each.
  private static List<List<GroupKey>> alike(AskedCluster cluster, List<GroupKey> keys) {
    var alike = new ArrayList<List<GroupKey>>();
    var byShape = new HashMap<ExplanationKey, List<GroupKey>>();
    for (GroupKey key : keys) {
      var wait = cluster.waits().get(key);
      var those = new ArrayList<GroupKey>();
      if (wait != null) {
        var group = cluster.snapshot().group(key).orElseThrow();
        var shape =
            new ExplanationKey(
                key.namespace(),
                group.queue(),
                group.priority(),
                group.preemptibility(),
                group.members().stream().map(member -> member.pod().asks()).toList(),
                wait.reason(),
                cluster.classes().missing(group));
        var before = byShape.putIfAbsent(shape, those);
        if (before != null) {
          before.add(key);
          continue;
        }
      }
      those.add(key);
      alike.add(those);
    }
    return alike;
  }

  private void tell(AskedCluster cluster, GroupKey key, List<GroupKey> alike) {
    PodGroup group = cluster.snapshot().group(key).orElseThrow();
    out.println(key + ", queue " + group.queue() + ", priority " + group.priority());
    var wait = cluster.waits().get(key);
    if (wait == null) {
      out.println(
          unbound(group).map(member -> place(cluster, member)).orElseGet(() -> next(cluster, key)));
      end(cluster, group).ifPresent(words -> out.println("  " + words));
      IdleSentences.told(group, cluster.snapshot()).ifPresent(words -> out.println("  " + words));
      out.println();
      return;
    }
    out.println("  " + cluster.words(wait));
    forecast(cluster, group, wait.reason()).ifPresent(words -> out.println("  " + words));
    PlaceInOrder.of(cluster.settings(), cluster.snapshot(), key)
        .ifPresent(place -> tell(place, cluster.snapshot().now()));
    var tried = cluster.remedies(key, plans.count());
    var found = tried.all();
    out.println(found.isEmpty() ? without(cluster, key) : "  Each of these alone lets it start:");
    int width =
        found.stream().mapToInt(each -> CounterfactualText.by(each).length()).max().orElse(0);
    for (Counterfactual each : found) {
      String by = CounterfactualText.by(each);
      out.println(
          "    "
              + by
              + " ".repeat(width - by.length())
              + "  "
              + each.words()
              + CounterfactualText.victims(each.plan(), key));
    }
    StaleGangs.keptBy(group).ifPresent(words -> out.println("  " + words));
    CounterfactualText.cutShort(tried, plans.count()).ifPresent(words -> out.println("  " + words));
    if (!alike.isEmpty()) {
      var names = alike.stream().map(GroupKey::toString).toList();
      out.println(
          "  The same goes for "
              + Phrases.first(names, MOST_TOLD)
              + ". Name one to be told of it alone.");
    }
    out.println();
  }

  /// What stands on its PodGroup may be of before a member was bound, or of before something had to
  /// be changed.
  private static Optional<String> forecast(AskedCluster cluster, PodGroup group, Reason reason) {
    return Optional.ofNullable(cluster.forecasts().get(group.key()))
        .filter(_ -> MemberCounts.of(group).bound() == 0 && reason.startsByItself())
        .map(forecast -> ForecastText.sentence(forecast, cluster.snapshot().now()));
  }

  /// It waited in the plan before, and the next one may start it: what others have used, and how
  /// far a search has come, differ between the two.
  private static String without(AskedCluster cluster, GroupKey key) {
    return started(cluster, key).orElse("  Nothing that was tried lets it start.");
  }

  private static String next(AskedCluster cluster, GroupKey key) {
    return started(cluster, key).orElse("  It does not wait.");
  }

  /// When it is evicted though it runs; empty where it may run as long as it likes.
  private static Optional<String> end(AskedCluster cluster, PodGroup group) {
    var now = cluster.snapshot().now();
    var warning = cluster.settings().maxRuntimeWarning();
    var ending = EndSentences.ending(group, cluster.snapshot(), warning);
    return ending.end().equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(EndSentences.of(group, ending, now));
  }

  private static Optional<String> started(AskedCluster cluster, GroupKey key) {
    var next = cluster.next();
    return CounterfactualText.places(next, key)
        .map(places ->
            "  The next plan starts it: "
                + CounterfactualText.nodes(places)
                + CounterfactualText.victims(next, key)
                + ".");
  }

  /// The first pod that has a place and is not bound.
  private static Optional<Member> unbound(PodGroup group) {
    return group.members().stream().filter(Explain::isPlanned).findFirst();
  }

  private static boolean isPlanned(Member member) {
    return member.standing() instanceof Standing.Planned;
  }

  /// Where it stands, in the words that Berth or kube-scheduler wrote on it.
  private static String place(AskedCluster cluster, Member unbound) {
    var pod = unbound.pod();
    String refusal = pod.life().refusal();
    String said = cluster.said().getOrDefault(pod.key(), "");
    return "  It has a place: pod %s on node %s, and is not bound yet. %s"
        .formatted(
            pod.key().name(),
            ((Standing.Planned) unbound.standing()).plan().placement().node(),
            !said.isEmpty()
                ? "It says: " + said
                : refusal.isEmpty()
                    ? "kubectl -n %s describe pod %s tells for what it waits."
                        .formatted(pod.key().namespace(), pod.key().name())
                    : "kube-scheduler says: " + refusal);
  }

  /// Groups without a place, those to which the next plan gives one, and those that have one and
  /// are not bound.
  private static Collection<GroupKey> unstarted(AskedCluster cluster) {
    var keys = new TreeSet<>(cluster.waits().keySet());
    cluster
        .planned()
        .ifPresent(plan ->
            plan.decisions().stream()
                .filter(Decision.Reserve.class::isInstance)
                .forEach(decision -> keys.add(decision.group())));
    for (PodGroup group : cluster.snapshot().groups()) {
      if (unbound(group).isPresent()) {
        keys.add(group.key());
      }
    }
    return keys;
  }

  /// What comes before it, and by which numbers.
  private void tell(PlaceInOrder place, Instant now) {
    int number = place.before().size() + 1;
    out.println(
        "  Place "
            + number
            + " of "
            + place.waiting()
            + " in the order: "
            + numbers(place.group(), place.own(), now));
    int told = 0;
    for (Precedence each : place.before()) {
      if (told++ == MOST_TOLD) {
        out.println("    and " + (place.before().size() - MOST_TOLD) + " more");
        break;
      }
      var first = each.group().group();
      out.println(
          "    before it "
              + first.key()
              + ", queue "
              + first.queue()
              + ": "
              + OrderText.of(each, place.group(), now));
    }
  }

  private static String numbers(PodGroup group, Precedence.Standpoint own, Instant now) {
    return "priority "
        + group.priority()
        + ", its queue's share in use "
        + OrderText.percent(own.without())
        + ", with it "
        + OrderText.percent(own.with())
        + ", waits "
        + OrderText.age(group, now);
  }
}
