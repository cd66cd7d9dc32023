package dev.berth.engine;

import dev.berth.engine.model.Demand;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.SingleNodeFit;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.NodeCopy;
import dev.berth.engine.session.PodClass;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Places pods that arrive ungated, each alone, among the nodes that kube-scheduler found good; of
/// any scheduler: those of others are held against room only, what is planned included.
///
/// A view of one snapshot at a time, and of the next one for what is different ([#see]). For one
/// thread at a time.
public final class SinglePodPlanner {
  private static final long NONE = -1; // no snapshot's version

  private final PlannerSettings settings;
  private Session session; // nothing is tried in it
  private HashMap<NodeName, Integer> index; // looked up only
  private Optional<Scored> scored = Optional.empty();
  private long seen; // the snapshot's version; NONE = on the way to another something went wrong

  private SinglePodPlanner(Session session, PlannerSettings settings) {
    this.session = session;
    this.settings = settings;
    this.index = indexOf(session);
    this.seen = session.snapshot().version();
  }

  public static SinglePodPlanner over(Snapshot snapshot, PlannerSettings settings) {
    return new SinglePodPlanner(Session.over(snapshot, settings.defaultQueue()), settings);
  }

  private static HashMap<NodeName, Integer> indexOf(Session session) {
    int nodes = session.room().nodes();
    var index = HashMap.<NodeName, Integer>newHashMap(nodes);
    for (int n = 0; n < nodes; n++) {
      index.put(session.room().node(n).name(), n);
    }
    return index;
  }

  /// Looks at another snapshot from now on, later or earlier. That costs what is different in it,
  /// unless nodes came, went or are otherwise: then all is built anew. Snapshots of one version say
  /// the same, though they be made at different times, but for hints about what the NUMA zones of
  /// nodes have left.
  public void see(Snapshot other) {
    if (other.version() == seen && other.nodes() == session.snapshot().nodes()) {
      return;
    }
    boolean isWhole = seen != NONE;
    seen = NONE;
    if (!isWhole || !goesOn(other)) {
      session = Session.over(other, settings.defaultQueue());
      index = indexOf(session);
    }
    seen = other.version();
  }

  private boolean goesOn(Snapshot other) {
    session.rewind();
    return session.advance(other).isPresent();
  }

  /// What `filter` answers.
  public sealed interface Verdict {
    /// No node would do: the pod's queue has no room, or something in it is invalid.
    record Refused(Reason reason) implements Verdict {}

    /// @param passing nodes that have room now, in the order asked
    /// @param refusals the others, in the order asked
    record Judged(List<NodeName> passing, List<Refusal> refusals) implements Verdict {
      public Judged {
        passing = List.copyOf(passing);
        refusals = List.copyOf(refusals);
      }
    }
  }

  /// @param detail as of a [Reason.Shortfall]; empty where the obstacle says it all
  /// @param lasting no eviction would help, so preemption need not be tried
  public record Refusal(NodeName node, Obstacle obstacle, String detail, boolean lasting) {
    /// The obstacle says it all.
    public Refusal(NodeName node, Obstacle obstacle, boolean lasting) {
      this(node, obstacle, "", lasting);
    }
  }

  public Verdict judge(Pod pod, List<NodeName> candidates) {
    var podClass = podClass(pod);
    var refusal = refusal(pod, podClass);
    if (refusal.isPresent()) {
      return new Verdict.Refused(refusal.get());
    }
    var passing = new ArrayList<NodeName>(candidates.size());
    var refusals = new ArrayList<Refusal>();
    for (NodeName name : candidates) {
      var objection = objection(podClass, name);
      if (objection.isEmpty()) {
        passing.add(name);
      } else {
        refusals.add(objection.get());
      }
    }
    return new Verdict.Judged(passing, refusals);
  }

  private Optional<Refusal> objection(PodClass podClass, NodeName name) {
    int n = index.getOrDefault(name, -1);
    if (n < 0) {
      return Optional.of(new Refusal(name, Obstacle.NOT_READY, false)); // not seen yet
    }
    var lasting =
        SingleNodeFit.chosen(session.room(), podClass, n)
            .or(() -> SingleNodeFit.lasting(session.room(), podClass, n));
    if (lasting.isPresent()) {
      var why = lasting.get();
      return Optional.of(new Refusal(name, why.obstacle(), why.detail(), true));
    }
    var passing = SingleNodeFit.passing(session.room(), podClass, n);
    return passing.map(obstacle -> new Refusal(name, obstacle, false));
  }

  /// What `prioritize` answers: 0 … 10 for each candidate, in the order asked; the best 10, nodes
  /// without room 0. The same order as the planner's.
  public int[] scores(Pod pod, List<NodeName> candidates) {
    var podClass = podClass(pod);
    var scores = scores();
    var values = new long[candidates.size()];
    for (int i = 0; i < values.length; i++) {
      int n = index.getOrDefault(candidates.get(i), -1);
      values[i] = n < 0 ? -1 : scores.of(podClass, n);
    }
    return scaled(values);
  }

  /// Scores, of the session that they look at, for the demand that they were made for.
  private record Scored(Session session, Demand demand, SingleNodeFit.Scores scores) {
    boolean isOf(Session other) {
      return session == other && demand == other.snapshot().demand();
    }
  }

  private SingleNodeFit.Scores scores() {
    if (scored.isEmpty() || !scored.get().isOf(session)) {
      var snapshot = session.snapshot();
      scored =
          Optional.of(
              new Scored(
                  session,
                  snapshot.demand(),
                  new SingleNodeFit.Scores(snapshot, session.room(), settings.strategy())));
    }
    return scored.get().scores();
  }

  private static int[] scaled(long[] values) {
    var distinct = Arrays.stream(values).filter(value -> value >= 0).sorted().distinct().toArray();
    var scores = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      int rank = Arrays.binarySearch(distinct, values[i]);
      if (rank == distinct.length - 1) {
        scores[i] = values[i] < 0 ? 0 : 10;
      } else if (rank >= 0) {
        scores[i] = rank * 10 / distinct.length;
      }
    }
    return scores;
  }

  /// The place that `bind` would write; empty where the node has no room now.
  public Optional<Placement> placeOn(Pod pod, NodeName node) {
    var podClass = podClass(pod);
    int n = index.getOrDefault(node, -1);
    return objection(podClass, node).isEmpty() && refusal(pod, podClass).isEmpty()
        ? Optional.of(session.placement(SingleNodeFit.assignment(session.room(), podClass, n)))
        : Optional.empty();
  }

  /// What `preempt` asks: whether the pod would have room on a node when these have left. Victims
  /// of other schedulers are not known one by one: what they would leave does not count.
  public boolean fitsWithout(Pod pod, NodeName node, Set<PodUid> victims) {
    int n = index.getOrDefault(node, -1);
    var podClass = podClass(pod);
    return n >= 0
        && SingleNodeFit.chosen(session.room(), podClass, n).isEmpty()
        && SingleNodeFit.lasting(session.room(), podClass, n).isEmpty()
        && SingleNodeFit.hasRoomSoon(without(victims, n), podClass, 0);
  }

  /// The node, under index 0, when these have left.
  private FreeCapacity without(Set<PodUid> victims, int n) {
    var copy = new NodeCopy(session, n);
    copy.leave(session, victims);
    return copy.room();
  }

  private PodClass podClass(Pod pod) {
    return session.foreignShape(pod);
  }

  /// Only of pods that are Berth's, which is to say that they have a group.
  private Optional<Reason> refusal(Pod pod, PodClass podClass) {
    var group = group(pod);
    if (group.isEmpty()) {
      return Optional.empty();
    }
    if (!pod.problems().isEmpty()) {
      return Optional.of(new Reason.BadRequest("pod " + pod.key(), pod.problems().getFirst()));
    }
    return session.queueFlaw(group.get()).or(() -> overCapacity(group.get(), podClass));
  }

  private Optional<Reason> overCapacity(Group group, PodClass podClass) {
    return QueueLimits.refusal(session.queues(), group, podClass.least())
        .or(() -> overLimitUntilGone(group.queue(), podClass.least()));
  }

  /// There is no gate that waits for deleted pods that run on.
  private Optional<Reason> overLimitUntilGone(int leaf, Charge charge) {
    var queues = session.queues();
    for (int q : session.ending().isEmpty() ? new int[0] : queues.chain(leaf)) {
      for (int r = 0; r < queues.width(); r++) {
        long asked = charge.of(r);
        long limit = queues.limit(q, r);
        if (asked > 0 && limit != Queue.UNLIMITED) {
          long used = Charge.sum(queues.allocated(q, r), session.ending(q, r));
          if (Charge.sum(used, asked) > limit) {
            return Optional.of(
                new Reason.OverLimit(
                    queues.queue(q).name(), queues.resource(r), used, asked, limit));
          }
        }
      }
    }
    return Optional.empty();
  }

  /// An ungated pod that Berth places alone is a group of one, which bears its name.
  private Optional<Group> group(Pod pod) {
    var key = new GroupKey(pod.key().namespace(), pod.key().name());
    return session
        .group(key)
        .filter(group -> group.group().members().stream().anyMatch(member -> isIt(member, pod)));
  }

  private static boolean isIt(PodGroup.Member member, Pod pod) {
    return member.pod().uid().equals(pod.uid());
  }
}
