package dev.berth.cli.offers;

import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.world.ObjectTree;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The manifests of a workload as a user would apply them, and the pods that its controllers would
/// make of them at once.
///
/// @param manifests as in the file, with the namespace where it named none
public record Submission(List<Map<String, Object>> manifests) {
  /// Pods that one command looks at.
  public static final int MOST_PODS = 10_000;

  private static final int FEW = 5; // workloads that a message names
  private static final long TOO_MANY = 1L << 40; // so many roles that are cut to it can be summed
  private static final String UID = "offer-"; // begins those of objects that are not there yet

  public Submission {
    manifests = List.copyOf(manifests);
  }

  /// @param namespace of manifests that name none
  /// @throws ScenarioException where the file cannot be read, or holds something of which it is not
  ///   known what pods come of it
  public static Submission read(Path file, String namespace) throws ScenarioException {
    return of(ScenarioFiles.documents(file), file + ": ", namespace);
  }

  /// @param documents plain trees without `null`
  /// @param where they were read, for messages: `train.yaml: `
  /// @param namespace of manifests that name none
  /// @throws ScenarioException where it is not known what pods come of something
  public static Submission of(List<Map<String, Object>> documents, String where, String namespace)
      throws ScenarioException {
    var manifests = new ArrayList<Map<String, Object>>();
    var wrong = new ArrayList<String>();
    for (var document : documents) {
      var manifest = ObjectTree.thaw(document);
      ObjectTree.under(manifest, "metadata").putIfAbsent("namespace", namespace);
      if (!isPodGroup(manifest) && SubmittedKind.of(manifest).isEmpty()) {
        wrong.add(where + unknown(manifest));
      } else if (ObjectTree.name(manifest).isEmpty()) {
        wrong.add(
            where
                + "a "
                + ObjectTree.text(manifest, "kind")
                + " has no metadata.name; give it one");
      }
      manifests.add(manifest);
    }
    if (wrong.isEmpty() && manifests.stream().allMatch(Submission::isPodGroup)) {
      wrong.add(where + "there is no workload; give " + kinds());
    }
    if (!wrong.isEmpty()) {
      throw new ScenarioException(wrong);
    }
    return new Submission(manifests);
  }

  /// Kinds of which it is known that no manifest tells their pods, and what to give instead.
  private static final Map<String, String> UNTOLD =
      Map.of(
          "TrainJob",
          "its pods are those of the runtime that it names; give the JobSet of a run (kubectl get"
              + " jobset -o yaml)",
          "AppWrapper",
          "give what it wraps, each workload by itself",
          "SparkApplication",
          "its driver asks for executors when it runs; give the pods of another run (kubectl get"
              + " pods -o yaml)",
          "CronWorkflow",
          "give its workflowSpec as the spec of a Workflow",
          "PodCliqueSet",
          "give the pods of another run (kubectl get pods -o yaml)");

  private static String unknown(Map<String, ?> manifest) {
    String kind = ObjectTree.text(manifest, "kind");
    String named =
        Stream.of(ObjectTree.text(manifest, "apiVersion"), kind, ObjectTree.name(manifest))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    return (named.isEmpty() ? "an object without kind" : named)
        + ": it is not known which pods come of it; "
        + UNTOLD.getOrDefault(
            kind, "give " + kinds() + ", or its pods (kubectl get pods -o yaml of another run)");
  }

  private static String kinds() {
    return SubmittedKind.names() + " or PodGroup";
  }

  static boolean isPodGroup(Map<String, ?> manifest) {
    return ObjectTree.text(manifest, "kind").equals("PodGroup")
        && ObjectTree.text(manifest, "apiVersion").startsWith("berth.dev/");
  }

  /// Pods that a manifest makes at once; none of a PodGroup.
  ///
  /// @throws ScenarioException where it does not tell
  private static List<PodRole> roles(Map<String, Object> manifest) throws ScenarioException {
    var kind = SubmittedKind.of(manifest);
    try {
      return kind.isEmpty() ? List.of() : kind.get().roles(manifest);
    } catch (UntoldPods untold) {
      throw new ScenarioException(
          List.of(
              id(manifest) + ": it is not known which pods come of it: " + untold.getMessage()));
    }
  }

  /// The objects that there would be, with what is not there yet: pods beside their makers.
  ///
  /// @param there objects of the cluster
  /// @param most pods that are made
  /// @throws ScenarioException where the cluster has an object of that kind and name, the pods are
  ///   too many, or none would be Berth's
  public List<Map<String, Object>> beside(List<Map<String, Object>> there, Instant now, int most)
      throws ScenarioException {
    var wrong = new ArrayList<String>();
    var known = new TreeSet<String>();
    there.forEach(object -> known.add(id(object)));
    var all = new ArrayList<>(there);
    int made = 0;
    for (int number = 0; number < manifests.size(); number++) {
      var manifest = manifests.get(number);
      String id = id(manifest);
      if (!known.add(id)) {
        wrong.add(
            id + " is there already: berth explain tells of it, another name is another offer");
        continue;
      }
      var object = ObjectTree.thaw(manifest);
      begin(object, now, number);
      if (isPodGroup(object)) {
        all.add(object);
        continue;
      }
      var roles = roles(object);
      long pods = roles.stream().mapToLong(role -> Math.min(role.total(), TOO_MANY)).sum();
      var scheduler = otherScheduler(roles);
      if (pods > most - made) {
        wrong.add(id + ": more than " + most + " pods cannot be looked at");
      } else if (pods == 0) {
        wrong.add(id + ": no pod would be made of it (parallelism, completions or replicas is 0)");
      } else if (scheduler.isPresent()) {
        wrong.add(
            id
                + ": its pods name "
                + (scheduler.get().isEmpty() ? "no scheduler" : "scheduler " + scheduler.get())
                + "; Berth plans those with schedulerName: "
                + WellKnownNames.SCHEDULER);
      } else {
        all.addAll(new MadeObjects(object, now, number).of(roles));
        made += (int) pods;
      }
    }
    if (!wrong.isEmpty()) {
      throw new ScenarioException(wrong);
    }
    return all;
  }

  /// What pods name that are not of Berth's scheduler; empty = all are.
  private static Optional<String> otherScheduler(List<PodRole> roles) {
    return roles.stream()
        .filter(role -> role.total() > 0)
        .map(role -> ObjectTree.text(role.template(), "spec", "schedulerName"))
        .filter(named -> !named.equals(WellKnownNames.SCHEDULER))
        .findFirst();
  }

  /// As the API server begins an object; what a status says is of another run.
  ///
  /// @param number of the manifest that it is of
  static void begin(Map<String, Object> object, Instant now, int number) {
    object.remove("status");
    var metadata = ObjectTree.under(object, "metadata");
    metadata.put("uid", UID + number + "-" + id(object).replace(' ', '-').replace('/', '-'));
    metadata.put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    metadata.remove("resourceVersion");
    if (ObjectTree.text(object, "kind").equals("Pod")) {
      ObjectTree.under(object, "spec").remove("nodeName");
      if (metadata.get("annotations") != null) {
        ObjectTree.under(metadata, "annotations").remove(WellKnownNames.PLAN);
      }
    }
  }

  static String id(Map<String, ?> object) {
    String namespace = ObjectTree.text(object, "metadata", "namespace");
    return ObjectTree.text(object, "kind")
        + " "
        + (namespace.isEmpty() ? "default" : namespace)
        + "/"
        + ObjectTree.name(object);
  }

  /// The namespace of all of its objects.
  ///
  /// @throws ScenarioException where there are several, or several workloads
  public String onlyNamespace() throws ScenarioException {
    var namespaces = new TreeSet<String>();
    manifests.forEach(each -> namespaces.add(ObjectTree.text(each, "metadata", "namespace")));
    var workloads =
        manifests.stream().filter(each -> !isPodGroup(each)).map(Submission::id).toList();
    if (workloads.size() > 1) {
      throw new ScenarioException(
          List.of(
              "there are "
                  + workloads.size()
                  + " workloads ("
                  + Phrases.first(workloads, FEW)
                  + "): ask for each by itself, with its PodGroup if it has one"));
    }
    if (namespaces.size() > 1) {
      throw new ScenarioException(
          List.of(
              "its objects are in namespaces "
                  + String.join(", ", namespaces)
                  + ": a PodGroup is in that of its pods"));
    }
    return namespaces.getFirst();
  }

  /// The first of its workloads.
  public Map<String, Object> workload() {
    return manifests.stream().filter(each -> !isPodGroup(each)).findFirst().orElseThrow();
  }

  /// The workload that a group is of: UIDs have the number of their manifest.
  public Map<String, Object> workload(PodGroup group) {
    for (var member : group.members()) {
      String uid = member.pod().uid().value();
      if (uid.startsWith(UID)) {
        return manifests.get(
            Integer.parseInt(uid.substring(UID.length(), uid.indexOf('-', UID.length()))));
      }
    }
    throw new IllegalArgumentException("no pod of this submission is in " + group.key());
  }

  /// That the PriorityClasses exist that its pods name: without them they would not be created.
  ///
  /// @throws ScenarioException where one does not
  public void check(PriorityClasses classes) throws ScenarioException {
    for (var manifest : manifests) {
      for (PodRole role : roles(ObjectTree.thaw(manifest))) {
        String named = ObjectTree.text(role.template(), "spec", "priorityClassName");
        if (!named.isEmpty() && classes.areKnown() && !classes.byName().containsKey(named)) {
          throw new ScenarioException(
              List.of(
                  id(manifest)
                      + (": priorityClassName is " + named)
                      + (", but there is no such PriorityClass" + classes.like(named))
                      + ": kubectl get priorityclasses lists them"));
        }
      }
    }
  }

  /// Whether a PodGroup is among its manifests.
  public boolean makes(GroupKey group) {
    return manifests.stream()
        .anyMatch(each ->
            isPodGroup(each)
                && ObjectTree.name(each).equals(group.name())
                && ObjectTree.text(each, "metadata", "namespace").equals(group.namespace()));
  }

  /// The groups that its pods form, by key.
  public List<GroupKey> groups(Snapshot snapshot) {
    return snapshot.groups().stream().filter(Submission::isNew).map(PodGroup::key).toList();
  }

  /// Whether it is of a submission, and of no cluster.
  public static boolean isNew(Map<String, ?> object) {
    return ObjectTree.uid(object).startsWith(UID);
  }

  private static boolean isNew(PodGroup group) {
    return group.members().stream().anyMatch(member -> member.pod().uid().value().startsWith(UID));
  }
}
