package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.offers.ManifestPatch;
import dev.berth.cli.offers.Submission;
import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.world.ObjectTree;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth offer`: when a workload would start that is not submitted yet, and what would let it
/// start sooner.
@Command(
    name = "offer",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.TOLD, ExitStatus.NOT_TOLD},
    mixinStandardHelpOptions = true,
    description =
        "Tells of a workload that is not submitted yet whether it would start now and where, else"
            + " why not and what it would start with: each offer is proven by a plan over a copy of"
            + " the cluster. Changes nothing.")
final class OfferCommand implements Callable<Integer> {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      required = true,
      description =
          "The workload as you would apply it: Pods, Jobs, CronJobs, Deployments, ReplicaSets,"
              + " StatefulSets, JobSets, LeaderWorkerSets, jobs of Kubeflow, Volcano and MPI,"
              + " Notebooks, Ray clusters, jobs and services, Argo Workflows, and PodGroups.")
  private Path workload = Path.of("");

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "default",
      description = "Namespace of objects that name none in the file (${DEFAULT-VALUE}).")
  private String namespace = "default";

  @Option(
      names = "--take",
      paramLabel = "N",
      description =
          "Prints the workload with this offer, as YAML, in the place of the list: for kubectl"
              + " apply.")
  private Optional<Integer> taken = Optional.empty();

  @Option(
      names = "--dump",
      paramLabel = "FILE",
      description =
          "What kubectl get -o yaml wrote, or a Scenario, in the place of a cluster that runs.")
  private Optional<Path> dump = Optional.empty();

  @Mixin private PlansOption plans = new PlansOption();

  @Mixin private ClusterReading reading = new ClusterReading();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  OfferCommand() {
    this(System.out, System.err);
  }

  OfferCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try {
      tell();
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private void tell() throws ScenarioException {
    if (plans.flaw().isPresent()) {
      throw new ScenarioException(List.of(plans.flaw().get()));
    }
    var submission = Submission.read(workload, namespace);
    var there = reading.scenario(dump, ClusterReading.FileOption.DUMP, errors);
    var cluster = AskedCluster.asItIs(with(submission, there));
    var offers = new ArrayList<Counterfactual>();
    var groups = submission.groups(cluster.snapshot());
    for (GroupKey key : groups) {
      var group = cluster.snapshot().group(key).orElseThrow();
      tell(cluster, group, title(submission, group, groups.size() == 1), offers);
    }
    if (taken.isPresent()) {
      take(submission, offers, taken.get());
    }
  }

  private static Scenario with(Submission submission, Scenario there) throws ScenarioException {
    var objects = new ArrayList<Map<String, Object>>();
    there.objects().forEach(item -> objects.add(item.object()));
    there.ignored().forEach(item -> objects.add(item.object()));
    return ScenarioFiles.cluster(
        there.name(),
        there.now(),
        there.settings(),
        submission.beside(objects, there.now(), Submission.MOST_PODS),
        object -> !Submission.isNew(object));
  }

  /// @param offers that were found before, to which those of this group are added
  private void tell(
      AskedCluster cluster, PodGroup group, String title, List<Counterfactual> offers) {
    var key = group.key();
    print(
        title
            + ": "
            + Phrases.count(group.members().size(), "pod")
            + ", queue "
            + group.queue()
            + ", priority "
            + group.priority());
    var plan = cluster.next();
    var places = CounterfactualText.places(plan, key);
    if (places.isPresent()) {
      print(
          "  Starts now: "
              + CounterfactualText.nodes(places.get())
              + CounterfactualText.victims(plan, key)
              + ".");
      print("");
      return;
    }
    var wait = Optional.ofNullable(cluster.waits().get(key));
    print(
        "  As it is: "
            + wait.map(cluster::words).orElse("it has no place, and no reason is told."));
    var tried = cluster.remedies(key, plans.count());
    var found = tried.all();
    print(
        found.isEmpty()
            ? "  Nothing that was tried lets it start."
            : "  It would start with each of these alone:");
    int width =
        found.stream().mapToInt(each -> CounterfactualText.by(each).length()).max().orElse(0);
    for (Counterfactual each : found) {
      offers.add(each);
      String by = CounterfactualText.by(each);
      print(
          "    %2d  %s%s  %s: %s%s"
              .formatted(
                  offers.size(),
                  by,
                  " ".repeat(width - by.length()),
                  each.words(),
                  CounterfactualText.places(each.plan(), key)
                      .map(CounterfactualText::nodes)
                      .orElse(""),
                  CounterfactualText.victims(each.plan(), key)));
    }
    CounterfactualText.cutShort(tried, plans.count()).ifPresent(words -> print("  " + words));
    print("");
  }

  /// `Job team/train`; with the pod or the group where the workload forms several.
  private static String title(Submission submission, PodGroup group, boolean isOnly) {
    var workload = submission.workload(group);
    String kind = ObjectTree.text(workload, "kind");
    if (kind.equals("Pod")) {
      return (group.single() ? "Pod " : "PodGroup ") + group.key();
    }
    String title = kind + " " + group.key().namespace() + "/" + ObjectTree.name(workload);
    if (group.single() && group.members().size() == 1) {
      return title + ", pod " + group.members().getFirst().pod().key().name();
    }
    return isOnly ? title : title + ", group " + group.key().name();
  }

  /// Not where a manifest is printed.
  private void print(String line) {
    if (taken.isEmpty()) {
      out.println(line);
    }
  }

  private void take(Submission submission, List<Counterfactual> offers, int number)
      throws ScenarioException {
    if (number < 1 || number > offers.size()) {
      throw new ScenarioException(
          List.of(
              "--take "
                  + number
                  + ": there "
                  + (offers.isEmpty()
                      ? "is no offer: berth offer without --take tells why"
                      : offers.size() == 1 ? "is 1 offer" : "are " + offers.size() + " offers")));
    }
    var offer = offers.get(number - 1);
    var remedies = offer.remedies();
    if (!remedies.stream().allMatch(each -> ManifestPatch.isAble(submission.manifests(), each))) {
      throw new ScenarioException(
          List.of(
              "--take "
                  + number
                  + ": no change of the manifest is \""
                  + offer.words()
                  + "\" ("
                  + CounterfactualText.by(offer)
                  + ")"));
    }
    for (var manifest : ManifestPatch.of(submission.manifests(), remedies)) {
      yaml(manifest).lines().forEach(out::println);
    }
  }

  private static String yaml(Map<String, Object> manifest) {
    try {
      return new ObjectMapper(new YAMLFactory()).writeValueAsString(manifest);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("not a plain tree: " + manifest, impossible);
    }
  }
}
