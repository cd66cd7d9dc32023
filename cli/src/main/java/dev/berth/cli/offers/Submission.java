package dev.berth.cli.offers;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
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
  private static final int MOST_PODS = 10_000;
  private static final String UID = "offer-"; // begins those of objects that are not there yet

  /// Where the pod template of a kind is, and how many pods are made of it.
  private enum Maker {
    POD("v1"),
    JOB("batch/v1", "spec", "template"),
    CRON_JOB("batch/v1", "spec", "jobTemplate", "spec", "template"),
    DEPLOYMENT("apps/v1", "spec", "template"),
    REPLICA_SET("apps/v1", "spec", "template"),
    STATEFUL_SET("apps/v1", "spec", "template");

    private final String apiVersion;
    private final String[] template;

    Maker(String apiVersion, String... template) {
      this.apiVersion = apiVersion;
      this.template = template;
    }

    private String kind() {
      return switch (this) {
        case POD -> "Pod";
        case JOB -> "Job";
        case CRON_JOB -> "CronJob";
        case DEPLOYMENT -> "Deployment";
        case REPLICA_SET -> "ReplicaSet";
        case STATEFUL_SET -> "StatefulSet";
      };
    }

    private boolean makes(Map<String, ?> manifest) {
      return ObjectTree.text(manifest, "kind").equals(kind())
          && ObjectTree.text(manifest, "apiVersion").equals(apiVersion);
    }

    private long pods(Map<String, ?> manifest) {
      return switch (this) {
        case POD -> 1;
        case JOB -> ofJob(ObjectTree.map(manifest, "spec"));
        case CRON_JOB -> ofJob(ObjectTree.map(manifest, "spec", "jobTemplate", "spec"));
        case DEPLOYMENT, REPLICA_SET, STATEFUL_SET ->
            ObjectTree.number(manifest, 1, "spec", "replicas");
      };
    }

    private static long ofJob(Map<String, ?> spec) {
      long parallelism = ObjectTree.number(spec, 1, "parallelism");
      return Math.min(parallelism, ObjectTree.number(spec, parallelism, "completions"));
    }
  }

  public Submission {
    manifests = List.copyOf(manifests);
  }

  /// @param namespace of manifests that name none
  /// @throws ScenarioException where the file cannot be read, or holds something of which it is not
  ///   known what pods come of it
  public static Submission read(Path file, String namespace) throws ScenarioException {
    var manifests = new ArrayList<Map<String, Object>>();
    var wrong = new ArrayList<String>();
    for (var document : ScenarioFiles.documents(file)) {
      var manifest = ObjectTree.thaw(document);
      ObjectTree.under(manifest, "metadata").putIfAbsent("namespace", namespace);
      if (!isPodGroup(manifest) && maker(manifest).isEmpty()) {
        wrong.add(file + ": " + unknown(manifest));
      } else if (ObjectTree.name(manifest).isEmpty()) {
        wrong.add(
            file
                + ": a "
                + ObjectTree.text(manifest, "kind")
                + " has no metadata.name; give it one");
      }
      manifests.add(manifest);
    }
    if (wrong.isEmpty() && manifests.stream().allMatch(Submission::isPodGroup)) {
      wrong.add(file + ": there is no workload; give " + kinds());
    }
    if (!wrong.isEmpty()) {
      throw new ScenarioException(wrong);
    }
    return new Submission(manifests);
  }

  private static String unknown(Map<String, ?> manifest) {
    String named =
        Stream.of(
                ObjectTree.text(manifest, "apiVersion"),
                ObjectTree.text(manifest, "kind"),
                ObjectTree.name(manifest))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    return (named.isEmpty() ? "an object without kind" : named)
        + ": it is not known which pods come of it; give "
        + kinds()
        + ", or its pods (kubectl get pods -o yaml of another run)";
  }

  private static String kinds() {
    var names = new ArrayList<String>();
    for (Maker maker : Maker.values()) {
      names.add(maker.kind());
    }
    return String.join(", ", names) + " or PodGroup";
  }

  static boolean isPodGroup(Map<String, ?> manifest) {
    return ObjectTree.text(manifest, "kind").equals("PodGroup")
        && ObjectTree.text(manifest, "apiVersion").startsWith("berth.dev/");
  }

  private static Optional<Maker> maker(Map<String, ?> manifest) {
    return List.of(Maker.values()).stream().filter(each -> each.makes(manifest)).findFirst();
  }

  /// The pod template of a workload, or the pod itself; empty for a PodGroup.
  static Optional<Map<String, Object>> template(Map<String, Object> manifest) {
    return maker(manifest)
        .map(maker -> {
          var at = manifest;
          for (String field : maker.template) {
            at = ObjectTree.under(at, field);
          }
          return at;
        });
  }

  /// The objects that there would be, with what is not there yet: pods beside their makers.
  ///
  /// @param there objects of the cluster
  /// @throws ScenarioException where the cluster has an object of that kind and name, the pods are
  ///   too many, or none would be Berth's
  public List<Map<String, Object>> beside(List<Map<String, Object>> there, Instant now)
      throws ScenarioException {
    var wrong = new ArrayList<String>();
    var known = new TreeSet<String>();
    there.forEach(object -> known.add(id(object)));
    var all = new ArrayList<>(there);
    int made = 0;
    for (var manifest : manifests) {
      String id = id(manifest);
      if (!known.add(id)) {
        wrong.add(
            id + " is there already: berth explain tells of it, another name is another offer");
        continue;
      }
      var object = ObjectTree.thaw(manifest);
      begin(object, now);
      var maker = maker(manifest);
      if (maker.isEmpty()) {
        all.add(object);
        continue;
      }
      long pods = maker.get().pods(manifest);
      var scheduler = ObjectTree.text(template(object).orElseThrow(), "spec", "schedulerName");
      if (pods > MOST_PODS - made) {
        wrong.add(id + ": more than " + MOST_PODS + " pods cannot be looked at");
      } else if (pods == 0) {
        wrong.add(id + ": no pod would be made of it (parallelism, completions or replicas is 0)");
      } else if (!scheduler.equals(WellKnownNames.SCHEDULER)) {
        wrong.add(
            id
                + ": its pods name "
                + (scheduler.isEmpty() ? "no scheduler" : "scheduler " + scheduler)
                + "; Berth plans those with schedulerName: "
                + WellKnownNames.SCHEDULER);
      } else {
        all.addAll(made(maker.get(), object, pods, now));
        made += (int) pods;
      }
    }
    if (!wrong.isEmpty()) {
      throw new ScenarioException(wrong);
    }
    return all;
  }

  private static List<Map<String, Object>> made(
      Maker maker, Map<String, Object> object, long pods, Instant now) {
    var all = new ArrayList<Map<String, Object>>();
    all.add(object);
    if (maker == Maker.POD) {
      return all;
    }
    String name = ObjectTree.name(object);
    var template = template(object).orElseThrow();
    for (int i = 0; i < pods; i++) {
      var pod = ObjectTree.thaw(template);
      pod.put("apiVersion", "v1");
      pod.put("kind", "Pod");
      var metadata = ObjectTree.under(pod, "metadata");
      metadata.put("name", name + "-" + i);
      metadata.put("namespace", ObjectTree.text(object, "metadata", "namespace"));
      metadata.put(
          "ownerReferences",
          ObjectTree.ownedBy(maker.apiVersion, maker.kind(), name, ObjectTree.uid(object)));
      if (maker == Maker.STATEFUL_SET) {
        ObjectTree.under(metadata, "labels")
            .put("apps.kubernetes.io/pod-index", Integer.toString(i));
      }
      begin(pod, now);
      all.add(pod);
    }
    return all;
  }

  /// As the API server begins an object; what a status says is of another run.
  private static void begin(Map<String, Object> object, Instant now) {
    object.remove("status");
    var metadata = ObjectTree.under(object, "metadata");
    metadata.put("uid", UID + id(object).replace(' ', '-').replace('/', '-'));
    metadata.put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    metadata.remove("resourceVersion");
    if (ObjectTree.text(object, "kind").equals("Pod")) {
      ObjectTree.under(object, "spec").remove("nodeName");
      if (metadata.get("annotations") != null) {
        ObjectTree.under(metadata, "annotations").remove(WellKnownNames.PLAN);
      }
    }
  }

  private static String id(Map<String, ?> object) {
    String namespace = ObjectTree.text(object, "metadata", "namespace");
    return ObjectTree.text(object, "kind")
        + " "
        + (namespace.isEmpty() ? "default" : namespace)
        + "/"
        + ObjectTree.name(object);
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
