package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.offers.ManifestPatch;
import dev.berth.cli.offers.MergePatch;
import dev.berth.cli.offers.Submission;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.ApiProblem;
import dev.berth.extender.rest.ManifestReader;
import dev.berth.extender.rest.answer.OffersAnswer.Patch;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads workloads that are not submitted yet for REST. Their pods form groups in a product of
/// their own, on a simulated cluster that holds nothing else, with the configuration of this one
/// and what its ledger knows of their namespace, of PriorityClasses and of volumes.
///
/// @param ledger of the product that runs; only read
record LiveManifests(Ledger ledger, Config config) implements ManifestReader {
  private static final int MOST_PODS = 1000;
  private static final int LONGEST_DETAIL = 1000; // letters

  @Override
  public SubmittedWorkload read(String manifests, String namespace) {
    try {
      var submission = Submission.of(ScenarioFiles.documents(manifests), "", namespace);
      return new LiveWorkload(submission, submission.onlyNamespace());
    } catch (ScenarioException wrong) {
      throw problem(wrong);
    }
  }

  private static ApiProblem problem(ScenarioException wrong) {
    String all =
        String.valueOf(wrong.getMessage())
            .lines()
            .map(line -> line.replaceAll("\\p{Cntrl}", " "))
            .collect(Collectors.joining("; "));
    return new ApiProblem(
        ApiProblem.Kind.INVALID,
        "manifest",
        all.length() <= LONGEST_DETAIL ? all : all.substring(0, LONGEST_DETAIL) + "…");
  }

  private static ApiProblem isThere(PodGroup group) {
    return new ApiProblem(
        ApiProblem.Kind.INVALID,
        "manifest",
        "Workload "
            + group.key()
            + " is there already: GET /api/v1/workloads/"
            + (group.key().namespace() + "/" + group.key().name())
            + "/explanation tells of it, another name is another offer");
  }

  private final class LiveWorkload implements SubmittedWorkload {
    private final Submission submission;
    private final String namespace;

    private LiveWorkload(Submission submission, String namespace) {
      this.submission = submission;
      this.namespace = namespace;
    }

    @Override
    public String kind() {
      return ObjectTree.text(submission.workload(), "kind");
    }

    @Override
    public String name() {
      return ObjectTree.name(submission.workload());
    }

    @Override
    public String namespace() {
      return namespace;
    }

    @Override
    public List<Patch> patches(List<Remedy> remedies) {
      if (!remedies.stream().allMatch(each -> ManifestPatch.isAble(submission.manifests(), each))) {
        return List.of();
      }
      var patches = new ArrayList<Patch>();
      var after = ManifestPatch.of(submission.manifests(), remedies);
      for (int i = 0; i < after.size(); i++) {
        var before = submission.manifests().get(i);
        var patch = MergePatch.between(before, after.get(i));
        if (!patch.isEmpty()) {
          patches.add(new Patch(ObjectTree.text(before, "kind"), ObjectTree.name(before), patch));
        }
      }
      return patches;
    }

    @Override
    public List<PodGroup> groups(Snapshot beside) {
      try {
        return formed(beside);
      } catch (ScenarioException wrong) {
        throw problem(wrong);
      }
    }

    private List<PodGroup> formed(Snapshot beside) throws ScenarioException {
      var classes = ledger.priorityClasses();
      submission.check(classes);
      var objects = submission.beside(trees(classes), beside.now(), MOST_PODS);
      objects.forEach(LiveManifests::admit);
      var scenario =
          ScenarioFiles.cluster(
              "", beside.now(), Map.of(), objects, object -> !Submission.isNew(object));
      var alone = ScenarioRun.look(scenario, ScenarioProduct.shipyard(config, known(beside)));
      var groups = new ArrayList<PodGroup>();
      for (var key : submission.groups(alone)) {
        groups.add(joined(alone.group(key).orElseThrow(), beside));
      }
      if (groups.isEmpty()) {
        throw new ScenarioException(List.of("none of its pods would be planned by Berth"));
      }
      return groups;
    }

    /// What the cluster says of its namespace, and the PodGroups there.
    private List<Fact> known(Snapshot beside) {
      var known = new ArrayList<Fact>();
      known.add(ledger.namespace(namespace));
      for (PodGroup group : beside.groups()) {
        if (group.key().namespace().equals(namespace)) {
          ledger.object(group.key()).map(Fact.GroupSeen::new).ifPresent(known::add);
        }
      }
      return known;
    }

    /// A group of which others are there takes its pods in, if they name it.
    private PodGroup joined(PodGroup group, Snapshot beside) {
      var members =
          group.members().stream()
              .map(each -> new Member(ledger.judged(each.pod()), each.standing(), each.vetoes()))
              .toList();
      var there = beside.group(group.key());
      if (there.isEmpty()) {
        return group.of(members);
      }
      boolean isNamed =
          members.stream().allMatch(each -> each.pod().belonging().group().equals(group.key()));
      if (!isNamed || submission.makes(group.key())) {
        throw isThere(group);
      }
      if (there.get().members().isEmpty()) {
        return group.of(members);
      }
      var all = new ArrayList<>(there.get().members());
      all.addAll(members);
      return there.get().of(all);
    }
  }

  /// As a cluster has them.
  private static List<Map<String, Object>> trees(PriorityClasses classes) {
    var trees = new ArrayList<Map<String, Object>>();
    classes
        .byName()
        .forEach((name, its) -> {
          var tree =
              ObjectTree.of(
                  "apiVersion",
                  "scheduling.k8s.io/v1",
                  "kind",
                  "PriorityClass",
                  "metadata",
                  ObjectTree.of("name", name),
                  "value",
                  (long) its.value(),
                  "globalDefault",
                  its.isDefault());
          if (!its.takesVictims()) {
            tree.put("preemptionPolicy", "Never");
          }
          trees.add(tree);
        });
    return trees;
  }

  /// The API server gives a pod the priority of its class, whatever the pod says.
  private static void admit(Map<String, Object> object) {
    if (Submission.isNew(object) && ObjectTree.text(object, "kind").equals("Pod")) {
      ObjectTree.under(object, "spec").remove("priority");
    }
  }
}
