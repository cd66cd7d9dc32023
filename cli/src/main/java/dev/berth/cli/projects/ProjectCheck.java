package dev.berth.cli.projects;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.QueueManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// What no project shows by itself: names and namespaces that two of them have, parents, circles,
/// and quotas that do not add up.
final class ProjectCheck {
  private static final String DEFAULT = PlannerSettings.DEFAULT.defaultQueue().value();

  private final ProjectForest forest;
  private final List<String> wrongs;
  private final List<String> warnings;

  /// @param wrongs where errors are told; with one, nothing is printed
  /// @param warnings where it is told what is valid and hardly meant
  ProjectCheck(ProjectForest forest, List<String> wrongs, List<String> warnings) {
    this.forest = forest;
    this.wrongs = wrongs;
    this.warnings = warnings;
  }

  /// Tells names that come twice.
  ///
  /// @return the first project of each name
  static List<Project> eachOnce(List<Project> projects, List<String> wrongs) {
    var first = new TreeMap<String, Project>();
    for (Project project : projects) {
      var other = first.putIfAbsent(project.name(), project);
      if (other != null) {
        wrongs.add(
            project.told(
                "metadata.name",
                project.name(),
                other.file() + " has a project of that name. Call one of the two otherwise."));
      }
    }
    return List.copyOf(first.values());
  }

  void check() {
    var projects = forest.byName().values();
    checkNamespaces();
    for (Project project : projects) {
      checkCircle(project);
      checkLimit(project);
      checkGpusAlone(project);
      checkSubjects(project);
    }
    if (wrongs.isEmpty()) {
      projects.forEach(this::checkChildren);
    }
  }

  private void checkNamespaces() {
    var owners = new TreeMap<String, Project>();
    for (Project project : forest.byName().values()) {
      for (String namespace : project.namespaces().names()) {
        var other = owners.putIfAbsent(namespace, project);
        if (other != null) {
          wrongs.add(
              project.told(
                  "spec.namespaces",
                  namespace,
                  "it belongs to "
                      + other.title()
                      + " ("
                      + other.file()
                      + "), and a namespace has one queue. Take it out of one of the two."));
        }
      }
    }
  }

  private void checkCircle(Project project) {
    var circle = forest.circle(project);
    if (!circle.isEmpty()) {
      wrongs.add(
          project.told(
              "spec.parent",
              project.parent(),
              "that is below "
                  + project.name()
                  + " itself ("
                  + String.join(" → ", circle)
                  + "). Name a project that is not, or leave it out for a queue at the top."));
    }
  }

  private static Queue queue(Project project) {
    return QueueManifest.read(ProjectManifests.queue(project)).orElseThrow();
  }

  private void checkLimit(Project project) {
    var queue = queue(project);
    checkLimit(project, queue, "spec", "spec", "");
    queue
        .pools()
        .forEach((name, pool) -> {
          String at = at(name);
          if (pool.quota().isPresent() || pool.limit().isPresent()) {
            String quotaAt = pool.quota().isPresent() ? at : "spec";
            checkLimit(project, queue.in(name), quotaAt, at, " in pool \"" + name + "\"");
          }
        });
  }

  private static String at(String pool) {
    return "spec.pools[" + pool + "]";
  }

  private void checkLimit(
      Project project, Queue queue, String quotaAt, String limitAt, String where) {
    for (Resource resource : queue.quota().resources()) {
      long quota = queue.quota().of(resource);
      if (quota != Queue.UNLIMITED && quota > queue.limitOf(resource)) {
        String limit = Queue.text(resource, queue.limitOf(resource));
        wrongs.add(
            project.told(
                quotaAt + ".quota." + resource.name(),
                Queue.text(resource, quota),
                ("its limit" + where + " is " + limit + ", so that much is never in use")
                    + (where.isEmpty() ? "" : " there")
                    + (". Lower it to " + limit + ", or raise ")
                    + (limitAt + ".limit." + resource.name() + ".")));
      }
    }
  }

  /// What a quota leaves out is 0, and pods that are not preemptible have to fit into it.
  private void checkGpusAlone(Project project) {
    var quota = queue(project).quota();
    var missing =
        Stream.of(Resource.CPU, Resource.MEMORY).filter(each -> quota.of(each) == 0).toList();
    if (quota.of(Resource.GPU) != 0 && !missing.isEmpty()) {
      var names = missing.stream().map(Resource::name).toList();
      warnings.add(
          project.told(
              "spec.quota.gpu",
              Queue.text(Resource.GPU, quota.of(Resource.GPU)),
              "the quota has no "
                  + String.join(" and no ", names)
                  + ", so none is guaranteed: pods that are not preemptible and ask for some wait."
                  + " Add "
                  + String.join(", ", names.stream().map(each -> each + ": unlimited").toList())
                  + ", or amounts."));
    }
  }

  private void checkSubjects(Project project) {
    var rights = project.rights();
    var groups = new TreeSet<>(rights.members().groups());
    groups.addAll(rights.viewers().groups());
    groups.addAll(rights.leads().groups());
    for (String group : ProjectNames.EVERY_CLIENT) {
      if (groups.contains(group)) {
        warnings.add(
            project.file()
                + ": "
                + project.title()
                + " gives rights to group "
                + group
                + ", which nearly every client of the cluster is in");
      }
    }
  }

  // What is valid, and hardly meant

  private void checkChildren(Project parent) {
    var children = forest.below(parent);
    if (children.isEmpty()) {
      return;
    }
    var names = children.stream().map(Project::name).toList();
    if (!parent.namespaces().names().isEmpty()) {
      warnings.add(
          parent.told(
              "spec.namespaces",
              String.join(", ", parent.namespaces().names()),
              "queues are below it ("
                  + String.join(", ", names)
                  + "), and only leaves take workloads: what names no other queue waits there. List"
                  + " these namespaces in a project below it."));
    }
    checkSums(parent, children, UnaryOperator.identity(), "spec", "");
    var pools = new TreeSet<>(queue(parent).pools().keySet());
    children.forEach(child -> pools.addAll(queue(child).pools().keySet()));
    for (String pool : pools) {
      boolean isOther =
          Optional.ofNullable(queue(parent).pools().get(pool))
              .filter(there -> there.quota().isPresent())
              .isPresent();
      checkSums(
          parent,
          children,
          queue -> queue.in(pool),
          isOther ? at(pool) : "spec",
          " in pool \"" + pool + "\"");
    }
  }

  /// @param there a queue as it is in the pools that are looked at
  private void checkSums(
      Project parent, List<Project> children, UnaryOperator<Queue> there, String at, String where) {
    var all = queue(parent);
    var below = children.stream().map(ProjectCheck::queue).toList();
    var resources = new TreeSet<Resource>();
    below.forEach(child -> resources.addAll(there.apply(child).quota().resources()));
    for (Resource resource : resources) {
      var sum = QuotaSum.of(below.stream().map(there).toList(), resource);
      long own = there.apply(all).quota().of(resource);
      boolean isTold = // in all pools
          !where.isEmpty()
              && own == all.quota().of(resource)
              && sum.equals(QuotaSum.of(below, resource));
      if (sum.amount() > own && !isTold) {
        String needed = Queue.text(resource, sum.amount());
        warnings.add(
            parent.told(
                at + ".quota." + resource.name(),
                Queue.text(resource, own),
                ("the quotas below it" + where + " add up to " + needed)
                    + (" (" + String.join(", ", sum.parts()) + "): children divide what their")
                    + " parent gets, so not all of it is guaranteed. Raise it to "
                    + (needed + (at.equals("spec") ? where : "") + ", or lower theirs.")));
      }
    }
  }

  /// Quotas of one resource together.
  ///
  /// @param parts `vision 8`
  private record QuotaSum(long amount, List<String> parts) {
    static QuotaSum of(List<Queue> queues, Resource resource) {
      long sum = 0;
      var parts = new ArrayList<String>();
      for (Queue queue : queues) {
        long quota = queue.quota().of(resource);
        if (quota > 0 && quota != Queue.UNLIMITED) {
          sum = sum > Queue.UNLIMITED - quota ? Queue.UNLIMITED : sum + quota;
          parts.add(queue.name() + " " + Queue.text(resource, quota));
        }
      }
      return new QuotaSum(sum, parts);
    }
  }

  // The cluster

  /// Parents that are no project, where no cluster is read.
  void tellParents() {
    for (Project project : forest.byName().values()) {
      String parent = project.parent();
      if (isAbove(parent)) {
        warnings.add(
            project.told(
                "spec.parent",
                parent,
                "no file has that project"
                    + Spelling.hint(parent, forest.byName().keySet())
                    + ": it must be a Queue of the cluster. --kubeconfig or --context look whether"
                    + " it is there."));
      }
    }
  }

  private boolean isAbove(String parent) {
    return !parent.isEmpty() && !forest.byName().containsKey(parent);
  }

  /// The same, and what objects of the cluster would be changed.
  void checkWith(ProjectCluster cluster) {
    if (!forest.byName().containsKey(DEFAULT) && !cluster.queues().containsKey(DEFAULT)) {
      warnings.add(
          "neither the files nor "
              + cluster.server()
              + " have a queue called "
              + DEFAULT
              + ": from the first Queue on, pods whose namespace names no queue wait. Add a Project"
              + " or a Queue called "
              + DEFAULT
              + ", unless defaultQueue in Berth's configuration names another.");
    }
    for (Project project : forest.byName().values()) {
      checkParent(project, cluster);
      var labels = cluster.queues().get(project.name());
      if (labels != null && !ProjectLabels.project(labels).equals(project.name())) {
        warnings.add(
            project.told(
                "metadata.name",
                project.name(),
                "the cluster has a Queue of that name that no project made: kubectl apply changes"
                    + " it."));
      }
      project.namespaces().names().forEach(name -> checkNamespace(project, name, cluster));
    }
  }

  private void checkParent(Project project, ProjectCluster cluster) {
    String parent = project.parent();
    if (isAbove(parent) && !cluster.queues().containsKey(parent)) {
      var known = new TreeSet<>(forest.byName().keySet());
      known.addAll(cluster.queues().keySet());
      wrongs.add(
          project.told(
              "spec.parent",
              parent,
              "neither the files nor "
                  + cluster.server()
                  + " have that queue"
                  + Spelling.hint(parent, known)
                  + ". Name one that is there, add its file, or leave it out for a queue at the"
                  + " top."));
    }
  }

  private void checkNamespace(Project project, String name, ProjectCluster cluster) {
    var labels = cluster.namespaces().get(name);
    if (labels == null) {
      if (!project.namespaces().areCreated()) {
        warnings.add(
            project.told(
                "spec.namespaces",
                name,
                "there is no such namespace"
                    + Spelling.hint(name, cluster.namespaces().keySet())
                    + ", and createNamespaces is false. Create it first."));
      }
      return;
    }
    String queue = ProjectLabels.queue(labels);
    String other = ProjectLabels.project(labels);
    if (!other.isEmpty() && !other.equals(project.name())) {
      warnings.add(moved(project, name, "of project " + other));
    } else if (!queue.isEmpty() && !queue.equals(project.name())) {
      warnings.add(moved(project, name, "in queue " + queue));
    }
  }

  private static String moved(Project project, String namespace, String now) {
    return project.told(
        "spec.namespaces",
        namespace,
        "in the cluster it is "
            + now
            + ": kubectl apply moves it, and what is started there from then on.");
  }
}
