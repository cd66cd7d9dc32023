package dev.berth.controllers.grouping;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// Warning events on workloads and pods for what is ignored in their labels and annotations, and
/// for what a kind cannot do. Each is told once per object; a pod that a workload made speaks for
/// all of them.
final class Warnings {
  /// Oldest are forgotten first, and may be told again.
  private static final int MOST_TOLD = 10_000;

  /// A class may be created after the workload, or be seen after it at the start.
  private static final Duration CLASS_MAY_COME = Duration.ofSeconds(30);

  /// Lasting, for each namespace: a tenant may change a value all the time.
  private static final double PER_SECOND = 1;

  private static final int AT_ONCE = 20;

  private static final String IGNORED = "InvalidValueIgnored";
  private static final String NO_CLASS = "PriorityClassNotFound";
  private static final String ADVICE = "GangNotPossible";

  private final EventRecorder events;
  private final Workers workers;
  private final Function<String, OptionalInt> priorities;
  private final UnaryOperator<String> likeClass;

  /// Guarded by itself.
  private final LinkedHashSet<String> told = new LinkedHashSet<>();

  /// By namespace; guarded by [#told].
  private final TreeMap<String, TokenBucket> budgets = new TreeMap<>();

  /// @param priorities the value of a PriorityClass; empty = there is none of that name
  /// @param likeClass a hint at the one that is called almost so; empty = there is none
  Warnings(
      EventRecorder events,
      Workers workers,
      Function<String, OptionalInt> priorities,
      UnaryOperator<String> likeClass) {
    this.events = events;
    this.workers = workers;
    this.priorities = priorities;
    this.likeClass = likeClass;
  }

  /// Looks at the labels and annotations of an owner or a pod.
  void look(KubeObject thing) {
    var ignored = new Problems();
    ManifestTree metadata = ManifestTree.root(thing.fields(), new Problems()).object("metadata");
    if (!thing.labels().isEmpty()) {
      var _ = GroupLabels.preemptibility(metadata.words("labels"), ignored);
    }
    var _ = GroupLabels.patience(metadata.words("annotations").telling(new Problems()), ignored);
    for (Problem problem : ignored.list()) {
      if (isNews(thing, problem)) {
        tell(thing, IGNORED, problem, " The value is ignored.");
      }
    }
    String named = thing.labels().getOrDefault(WellKnownNames.PRIORITY_CLASS, "");
    if (!named.isEmpty() && priorities.apply(named).isEmpty()) {
      var problem =
          new Problem(
              WellKnownNames.PRIORITY_CLASS,
              named,
              "there is no PriorityClass of this name"
                  + likeClass.apply(named)
                  + ". Create it, or name one that exists.");
      if (isNews(thing, problem)) {
        workers.at(workers.time().instant().plus(CLASS_MAY_COME), () -> tellClass(thing, problem));
      }
    }
  }

  private void tellClass(KubeObject thing, Problem problem) {
    if (priorities.apply(problem.value()).isEmpty()) {
      tell(thing, NO_CLASS, problem, " The label is ignored.");
    }
  }

  /// A class that a workload names lowers the priority of its pods and never raises it.
  ///
  /// @param named by the workload or its pods, in labels
  /// @param usual the class of its kind, of pods that were admitted without one
  /// @param admitted `spec.priority` of one of its pods
  void lowersOnly(KubeObject workload, String named, String usual, int admitted) {
    var value = priorities.apply(named);
    var most = admitted == 0 ? priorities.apply(usual) : OptionalInt.of(admitted);
    if (value.isEmpty() || most.isEmpty() || value.getAsInt() <= most.getAsInt()) {
      return;
    }
    var problem =
        new Problem(
            WellKnownNames.PRIORITY_CLASS,
            named,
            "that is %d, its pods were admitted with %d, and the label only lowers a priority. Set"
                    .formatted(value.getAsInt(), most.getAsInt())
                + " spec.priorityClassName of the pods.");
    if (isNews(workload, problem)) {
      tell(workload, IGNORED, problem, " The value is ignored.");
    }
  }

  /// What a workload asks for and its kind cannot do.
  void advise(KubeObject workload, Problem problem) {
    if (isNews(workload, problem)) {
      tell(workload, ADVICE, problem, "");
    }
  }

  private boolean isNews(KubeObject thing, Problem problem) {
    boolean isPod = thing.kind().equals("Pod") && !thing.owners().isEmpty();
    String source = isPod ? thing.owners().getFirst().uid() : thing.uid();
    String key = thing.namespace() + " " + source + " " + problem.field() + " " + problem.value();
    synchronized (told) {
      if (told.contains(key) || !mayTell(thing.namespace())) {
        return false; // without a budget it is told when the object is seen again
      }
      told.add(key);
      if (told.size() > MOST_TOLD) {
        told.removeFirst();
      }
      return true;
    }
  }

  private boolean mayTell(String namespace) {
    return budgets
        .computeIfAbsent(namespace, _ -> new TokenBucket(PER_SECOND, AT_ONCE, workers.time()))
        .tryTake();
  }

  private void tell(KubeObject thing, String reason, Problem problem, String consequence) {
    String kind = thing.kind().equals("Pod") ? "pod" : thing.kind();
    events.tell(
        new EventRecorder.Regarding(
            thing.apiVersion(), thing.kind(), thing.namespace(), thing.name(), thing.uid()),
        true,
        reason,
        "Group",
        problem.on(kind + " " + thing.namespace() + "/" + thing.name()) + consequence);
  }
}
