package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.Veto;
import dev.berth.engine.ledger.objects.NamedObjects;
import dev.berth.engine.ledger.objects.ObjectVersions;
import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.HeldUp;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.LostShare;
import dev.berth.engine.ledger.view.Overfull;
import dev.berth.engine.ledger.view.PendingEvictions;
import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.ledger.view.SilentSlot;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.ledger.view.Unproven;
import dev.berth.engine.ledger.view.Warmth;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.StorageClass;
import dev.berth.engine.model.Topology;
import dev.berth.engine.model.VolumeKind;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The one memory of Berth.
///
/// Every method may be called from any thread. One lock guards everything; foreign code never runs
/// under it. A change costs what it touches (a pod, its node, its group); a snapshot costs what
/// changed since the last one, and a copy of references.
public final class Ledger
    implements LedgerFacts, LedgerPlans, LedgerBindings, LedgerHolders, LedgerSubmissions {
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable changed;
  private final NodeUsageTable rooms;
  private final ClusterDefaults defaults;
  private final GroupStates groups;
  private final Vetoes vetoes;
  private final HolderFailures holderFailures;
  private final UnconfirmedHolders unanswered;
  private final Volumes volumes = new Volumes();
  private final VolumeWaits waits = new VolumeWaits(volumes);
  private final PodTransitions transitions;
  private final Successions successions;
  private final PodRecords pods;
  private final Reservations plans;
  private final PlanEndings endings;
  private final VictimDepartures departures;
  private final BindCommits commits;
  private final NamedObjects<NodeName, Node> nodes;
  private final NamedObjects<QueueName, Queue> queues;
  private final NamedObjects<String, Topology> topologies;
  private final PlannedClaims claims = new PlannedClaims();
  private final NamedObjects<String, DeviceSlice> slices;
  private final NamedObjects<String, DeviceClass> classes;
  private final NamedObjects<DisruptionBudget.Key, DisruptionBudget> budgets;
  private final ArrivalCounts arrivals = new ArrivalCounts();
  private final UnevictablePods unevictable = new UnevictablePods();
  private final FailedPlans failedPlans = new FailedPlans();
  private final ResumedPreemptors resumed;
  private final IdleGroups idle;
  private final TreeMap<QueueName, PastUse> pastUse = new TreeMap<>();
  private final ObjectVersions<NodeName> numaVersions = new ObjectVersions<>();
  private final ObjectVersions<GroupKey> groupVersions = new ObjectVersions<>();
  private final ObjectVersions<String> classVersions = new ObjectVersions<>();
  private final ObjectVersions<String> namespaceVersions = new ObjectVersions<>();
  private long version;

  /// @param changed called after every change of what Berth believes, outside the lock, from
  ///   whichever thread made it; it must be cheap (set a flag, wake a thread)
  public Ledger(LedgerSettings settings, Runnable changed) {
    this.changed = changed;
    this.defaults = new ClusterDefaults(settings.defaultQueue());
    this.groups = new GroupStates(defaults);
    this.rooms = new NodeUsageTable(this::reseated);
    this.resumed = new ResumedPreemptors(groups);
    this.idle = new IdleGroups(groups);
    this.vetoes = new Vetoes(rooms, groups);
    this.holderFailures = new HolderFailures(rooms);
    this.unanswered = new UnconfirmedHolders(rooms);
    var relocations = new Relocations(settings.placeHold());
    this.transitions = new PodTransitions(rooms, groups, vetoes, failedPlans, relocations, volumes);
    this.successions = new Successions(relocations, groups, transitions);
    this.pods = new PodRecords(settings, groups, transitions, successions, arrivals, volumes);
    this.nodes = new NamedObjects<>(Node::name, Node::version, SemanticEquality::of);
    this.queues = new NamedObjects<>(Queue::name, Queue::version, SemanticEquality::of);
    var limits = new LimitHeadroom(groups, queues);
    this.plans = new Reservations(pods, transitions, relocations, rooms, limits, failedPlans);
    this.endings = new PlanEndings(settings, pods, transitions, rooms, limits, volumes);
    this.departures = new VictimDepartures(pods, limits);
    this.commits = new BindCommits(pods, transitions, departures, claims);
    this.topologies = new NamedObjects<>(Topology::name, Topology::version, SemanticEquality::of);
    this.slices = new NamedObjects<>(DeviceSlice::name, DeviceSlice::version, SemanticEquality::of);
    this.classes =
        new NamedObjects<>(DeviceClass::name, DeviceClass::version, SemanticEquality::of);
    this.budgets =
        new NamedObjects<>(DisruptionBudget::key, DisruptionBudget::version, SemanticEquality::of);
  }

  @Override
  public boolean record(Fact fact) {
    return locked(() -> moved(take(fact)));
  }

  @Override
  public long version() {
    return locked(() -> version);
  }

  @Override
  public List<PastUse> pastUse() {
    return locked(() -> List.copyOf(pastUse.values()));
  }

  @Override
  public Snapshot snapshot(Instant now) {
    lock.lock();
    boolean ended = false;
    try {
      ended = moved(endAllUntil(now));
      pods.judge(volumes.settle(), endings.awaitedSince(now));
      var nodesNow = rooms.list();
      if (arrivals.isDue()) {
        arrivals.publish(nodesNow);
      }
      long shown = version;
      ended |= moved(volumes.isUnsettled()); // a later version shows them
      return new Snapshot(shown, now, nodesNow, queues.list(), groups.list(), topologies.list())
          .with(
              pods.strangers(), new DynamicResources(claims.list(), slices.list(), classes.list()))
          .with(unevictable.with(budgets.list()))
          .with(arrivals.demand())
          .with(failedPlans.backoffs().with(waits.overdue(now)));
    } finally {
      lock.unlock();
      if (ended) {
        changed.run(); // the planner, which may not be the caller
      }
    }
  }

  @Override
  public List<Optional<List<Assumed>>> assume(
      List<Decision.Withdraw> withdrawn,
      List<Decision.Reserve> decisions,
      Instant until,
      long planned) {
    return locked(() -> {
      var assumed =
          plans.assume(withdrawn, decisions, until, new PlannedClaims.Basis(claims, planned));
      moved(!withdrawn.isEmpty() || assumed.stream().anyMatch(Optional::isPresent));
      return assumed;
    });
  }

  @Override
  public Optional<List<Assumed>> renew(List<Assumed> block, Instant until) {
    return locked(() -> {
      var renewed = plans.renew(block, until);
      moved(renewed.isPresent());
      return renewed;
    });
  }

  @Override
  public boolean forget(PodUid uid, WrittenPlan plan) {
    return forget(uid, plan, "");
  }

  @Override
  public boolean forget(PodUid uid, WrittenPlan plan, String words) {
    return locked(() -> moved(endings.forget(uid, plan, words)));
  }

  @Override
  public List<Assumed> giveBack(List<Decision.Withdrawn> withdrawn, long charged) {
    return locked(() -> {
      var given = endings.giveBack(withdrawn);
      moved(!given.isEmpty() || claims.areCharged(charged));
      return given;
    });
  }

  @Override
  public List<Assumed> expire(Instant now) {
    return locked(() -> {
      var expired = endings.expire(now);
      moved(endAllUntil(now) | successions.stopAwaiting(now) | !expired.isEmpty());
      return expired;
    });
  }

  @Override
  public List<Assumed> collapse() {
    return locked(() -> {
      var collapsed = endings.collapse();
      moved(!collapsed.isEmpty());
      return collapsed;
    });
  }

  @Override
  public List<Assumed> giveBackIncomplete() {
    return locked(() -> {
      var given = endings.giveBackIncomplete(groups.incomplete());
      moved(!given.isEmpty());
      return given;
    });
  }

  @Override
  public void resumePreemptors(Instant until) {
    locked(() -> moved(resumed.begin(pods.preemptorsWithoutPlan(), until)));
  }

  @Override
  public void veto(PodUid uid, NodeName node, String words, Instant until) {
    if (node.isNone()) {
      throw new IllegalArgumentException("a veto of no node, for " + uid + ": " + words);
    }
    locked(() -> moved(refuse(uid, node, new Veto(words, until))));
  }

  @Override
  public void refused(PodUid uid, Problem problem) {
    locked(() -> moved(refused(uid, List.of(problem))));
  }

  @Override
  public void relent(PodUid uid) {
    locked(() -> moved(refused(uid, List.of())));
  }

  @Override
  public Optional<Standing> standing(PodUid uid) {
    return locked(() -> pods.find(uid).map(entry -> entry.standing));
  }

  @Override
  public Optional<GroupKey> leavesFor(PodUid uid) {
    return locked(() ->
        pods.find(uid)
            .flatMap(PodRecord::beneficiary)
            .map(PodRecord::account)
            .filter(group -> group != GroupState.NONE)
            .map(group -> groups.show(group).key()));
  }

  @Override
  public void evictionAsked(PodUid uid) {
    locked(() -> {
      pods.find(uid).ifPresent(successions::evictionAsked);
      return uid;
    });
  }

  @Override
  public void evictionRefused(PodUid uid, Instant now) {
    locked(() -> {
      pods.find(uid).ifPresent(victim -> successions.evictionRefused(victim, now));
      return uid;
    });
  }

  @Override
  public List<Assumed> keep(PodUid uid, Instant until) {
    return locked(() -> {
      var found = pods.find(uid);
      found.ifPresent(entry -> unevictable.begin(entry.pod, until));
      moved(found.isPresent());
      return found.map(endings::spare).orElse(List.of());
    });
  }

  @Override
  public boolean isKept(PodUid uid, Instant now) {
    return locked(() -> unevictable.keeps(uid, now));
  }

  @Override
  public Optional<DisruptionBudget.Key> budgetOf(PodUid uid) {
    var all = locked(budgets::list);
    return pod(uid)
        .flatMap(pod ->
            all.stream()
                .filter(budget -> budget.covers(pod))
                .map(DisruptionBudget::key)
                .findFirst());
  }

  @Override
  public Optional<Node> node(NodeName name) {
    return locked(() -> nodes.find(name));
  }

  @Override
  public Optional<PodGroup> group(GroupKey key) {
    return locked(() -> groups.find(key));
  }

  @Override
  public OptionalInt priorityOf(String name) {
    return locked(() -> defaults.rankOf(name))
        .map(rank -> OptionalInt.of(rank.priority()))
        .orElse(OptionalInt.empty());
  }

  @Override
  public PriorityClasses priorityClasses() {
    return locked(defaults::classes);
  }

  @Override
  public Fact.NamespaceSeen namespace(String name) {
    var home = locked(() -> defaults.home(name));
    return new Fact.NamespaceSeen(name, 0, home.queue(), home.labels(), home.terminates());
  }

  @Override
  public Pod judged(Pod pod) {
    return locked(() -> volumes.judge(pod));
  }

  @Override
  public Optional<GroupSpec> object(GroupKey key) {
    return locked(() -> groups.object(key));
  }

  @Override
  public Optional<Pod> pod(PodUid uid) {
    return locked(() -> pods.find(uid).map(entry -> entry.pod));
  }

  @Override
  public Optional<PodGroup> groupOf(PodUid uid) {
    return locked(() ->
        pods.find(uid)
            .map(PodRecord::account)
            .filter(group -> group != GroupState.NONE)
            .map(groups::show));
  }

  @Override
  public BindCommit commit(PodUid uid, NodeName node) {
    return commit(uid, node, false);
  }

  @Override
  public BindCommit commit(PodUid uid, NodeName node, boolean admitted) {
    return locked(() -> {
      moved(commits.letGoIfHeld(uid));
      moved(commits.endIfOfOtherClaims(uid));
      BindCommit commit = commits.commit(uid, node, admitted);
      moved(commit instanceof BindCommit.Ready);
      return commit;
    });
  }

  @Override
  public boolean asksAnew(PodUid uid, Instant now) {
    return locked(() -> moved(endings.asksAnew(uid, now)));
  }

  @Override
  public void confirm(PodUid uid, Placement placement) {
    locked(() -> moved(commits.confirm(uid, placement)));
  }

  @Override
  public void doubt(PodUid uid, Instant until) {
    locked(() -> moved(commits.doubt(uid, until)));
  }

  @Override
  public void release(PodUid uid) {
    locked(() -> moved(commits.release(uid)));
  }

  @Override
  public List<SlotKey> missingHolders() {
    return locked(rooms.devices()::missingHolders);
  }

  @Override
  public List<IdleHolder> idleHolders() {
    return locked(rooms.devices()::idleHolders);
  }

  @Override
  public List<SilentSlot> silentSlots() {
    return locked(rooms.devices()::silentSlots);
  }

  @Override
  public void injection(NodeName node, Injection injection) {
    locked(() -> {
      boolean news = moved(rooms.injection(node, injection));
      if (news && !injection.fault().isEmpty()) {
        var _ = endings.giveBackUnheld(node);
      }
      return news;
    });
  }

  @Override
  public Injection injection(NodeName node) {
    return locked(() -> rooms.find(node).injection());
  }

  @Override
  public List<Unproven> unproven() {
    return locked(rooms.devices()::unproven);
  }

  @Override
  public List<HeldUp> heldUp() {
    return locked(rooms.devices()::heldUp);
  }

  @Override
  public List<LostShare> lostShares() {
    return locked(rooms.devices()::lostShares);
  }

  @Override
  public List<Overfull> overfull() {
    return locked(rooms::overfull);
  }

  @Override
  public Warmth warmth(NodeName node, int most) {
    return locked(() -> WarmSlots.of(rooms.find(node), most));
  }

  @Override
  public List<SlotKey> coldSlots(int most) {
    return locked(() -> rooms.devices().coldSlots(most));
  }

  @Override
  public List<Assumed> trouble(NodeName node, String words, Instant until) {
    return locked(() -> {
      holderFailures.begin(node, words, until);
      moved(true);
      return endings.giveBackUnheld(node);
    });
  }

  @Override
  public boolean isTroubled(NodeName node) {
    return locked(() -> rooms.find(node).isTroubled());
  }

  @Override
  public void doubt(SlotKey slot, Instant until) {
    locked(() -> {
      unanswered.begin(slot, until);
      return moved(true);
    });
  }

  @Override
  public boolean await(SlotKey slot, Instant until) {
    return locked(() -> {
      boolean first = unanswered.await(slot, until);
      moved(first && !rooms.isUsed(slot)); // else the slot looks as before
      return first;
    });
  }

  @Override
  public void awaitNoMore(SlotKey slot) {
    locked(() -> moved(unanswered.awaitNoMore(slot)));
  }

  @Override
  public boolean lacksHolder(SlotKey slot) {
    return locked(() -> rooms.devices().lacksHolder(slot));
  }

  @Override
  public Optional<IdleHolder> idleHolder(SlotKey slot) {
    return locked(() -> rooms.devices().idleHolder(slot));
  }

  @Override
  public Optional<Pod> retire(SlotKey slot) {
    return locked(() -> {
      var idle = rooms.devices().idleHolder(slot);
      boolean retired = moved(idle.isPresent() && rooms.retire(slot));
      return idle.filter(_ -> retired).map(IdleHolder::holder);
    });
  }

  @Override
  public void reopen(SlotKey slot) {
    locked(() -> moved(rooms.reopen(slot)));
  }

  @Override
  public List<PendingEvictions> pendingEvictions(Collection<PodUid> planned) {
    return locked(() -> departures.pendingEvictions(planned));
  }

  @Override
  public List<Unasked> unasked() {
    return locked(endings::unasked);
  }

  @Override
  public List<Provisioning> provisioning() {
    return locked(volumes::provisioning);
  }

  @Override
  public boolean isClear(PodUid uid) {
    return locked(() -> commits.isClear(uid));
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    T result;
    boolean moved;
    try {
      long before = version;
      result = work.get();
      moved(endings.giveBackMisled());
      failedPlans.settle();
      rooms.settle();
      moved = version != before;
    } finally {
      lock.unlock();
    }
    if (moved) {
      changed.run();
    }
    return result;
  }

  private boolean endAllUntil(Instant now) {
    failedPlans.until(now);
    return vetoes.endAllUntil(now)
        | resumed.endAllUntil(now)
        | idle.endAllUntil(now)
        | unevictable.endAllUntil(now)
        | holderFailures.endAllUntil(now)
        | unanswered.endAllUntil(now);
  }

  private boolean moved(boolean moved) {
    version += moved ? 1 : 0;
    return moved;
  }

  private void reseated(PodRecord pod) {
    transitions.stand(pod);
  }

  private boolean refuse(PodUid uid, NodeName node, Veto veto) {
    var found = pods.find(uid).filter(entry -> entry.ours && entry.node().isNone());
    found.ifPresent(entry -> {
      boolean binding = entry.isBinding(); // then kube-scheduler has taken the node since
      if (!binding && entry.plan().placement().node().equals(node)) {
        var _ = transitions.giveBack(entry, new PlanEnd(Way.REFUSED, veto.words()));
      }
      vetoes.begin(entry, node, veto);
    });
    return found.isPresent();
  }

  private boolean refused(PodUid uid, List<Problem> problems) {
    var found = pods.find(uid).filter(entry -> !entry.refused.equals(problems));
    found.ifPresent(entry -> {
      entry.refused = problems;
      if (!problems.isEmpty() && entry.isPlanned() && !entry.isBinding()) {
        var _ = transitions.giveBack(entry, new PlanEnd(Way.REFUSED, problems.getFirst().value()));
      }
      entry.memberChanged();
      groups.touch(entry);
    });
    return found.isPresent();
  }

  private boolean take(Fact fact) {
    return switch (fact) {
      case Fact.NodeSeen(Node node) -> {
        boolean news = nodes.seen(node);
        if (news) {
          vetoes.endAllAt(node.name());
          holderFailures.endAt(node.name());
          rooms.seen(node);
        }
        yield news;
      }
      case Fact.NodeGone(NodeName name, long at) -> {
        boolean news = nodes.gone(name, at);
        if (news) {
          vetoes.endAllAt(name);
          holderFailures.endAt(name);
          rooms.gone(name);
        }
        yield news;
      }
      case Fact.NumaSeen(NodeName name, long at, Numa numa) ->
          numaVersions.seen(name, at) && rooms.zones(name, numa);
      case Fact.NumaGone(NodeName name, long at) ->
          numaVersions.gone(name, at) && rooms.zones(name, Numa.NONE);
      case Fact.PodSeen(Pod pod) -> {
        boolean news = pods.seen(pod);
        if (news && pod.isHolder()) {
          unanswered.awaitNoMore(new SlotKey(pod.holding().node(), pod.holding().slot()));
        }
        yield news;
      }
      case Fact.PodGone(PodKey key, PodUid uid) -> pods.gone(key, uid);
      case Fact.QueueSeen(Queue queue) -> queues.seen(queue);
      case Fact.QueueGone(QueueName name, long at) -> {
        boolean news = queues.gone(name, at);
        if (news) {
          pastUse.remove(name);
        }
        yield news;
      }
      case Fact.UsageSeen(PastUse past) -> {
        pastUse.merge(
            past.queue(), past, (known, seen) -> seen.version() < known.version() ? known : seen);
        yield false;
      }
      case Fact.IdleSeen seen -> idle.seen(seen);
      case Fact.TopologySeen(Topology topology) -> topologies.seen(topology);
      case Fact.TopologyGone(String name, long at) -> topologies.gone(name, at);
      case Fact.ClaimSeen(DeviceClaim claim) -> claims.seen(claim, version + 1);
      case Fact.ClaimGone(ClaimKey key, long at) -> claims.gone(key, at);
      case Fact.SliceSeen(DeviceSlice slice) -> slices.seen(slice);
      case Fact.SliceGone(String name, long at) -> slices.gone(name, at);
      case Fact.DeviceClassSeen(DeviceClass seen) -> classes.seen(seen);
      case Fact.DeviceClassGone(String name, long at) -> classes.gone(name, at);
      case Fact.VolumeClaimSeen(PersistentVolumeClaim claim) -> volumes.seen(claim);
      case Fact.VolumeClaimGone(PersistentVolumeClaim.Key key, long at) -> volumes.gone(key, at);
      case Fact.VolumeSeen(PersistentVolume volume) -> volumes.seen(volume);
      case Fact.VolumeGone(String name, long at) -> volumes.volumeGone(name, at);
      case Fact.StorageClassSeen(StorageClass storageClass) -> volumes.seen(storageClass);
      case Fact.StorageClassGone(String name, long at) -> volumes.classGone(name, at);
      case Fact.VolumesRead(VolumeKind kind, boolean isRead) -> volumes.read(kind, isRead);
      case Fact.BudgetSeen(DisruptionBudget budget) -> {
        var before = budgets.find(budget.key());
        boolean news = budgets.seen(budget);
        if (news) {
          before.ifPresent(was -> unevictable.budgetChanged(was, Optional.of(budget)));
        }
        yield news;
      }
      case Fact.BudgetGone(DisruptionBudget.Key key, long at) -> {
        var before = budgets.find(key);
        boolean news = budgets.gone(key, at);
        if (news) {
          before.ifPresent(was -> unevictable.budgetChanged(was, Optional.empty()));
        }
        yield news;
      }
      case Fact.GroupSeen(GroupSpec group) ->
          groupVersions.seen(group.key(), group.version()) && groups.seen(group);
      case Fact.GroupGone(GroupKey key, long at) -> groupVersions.gone(key, at) && groups.gone(key);
      case Fact.JobSeen job ->
          successions.jobSeen(job.job(), job.makesPods()) | groups.jobSeen(job);
      case Fact.PodGrouped(PodUid uid, Membership membership) -> pods.grouped(uid, membership);
      case Fact.PriorityClassSeen(String name, long at, int value, boolean first, boolean takes) ->
          classVersions.seen(name, at)
              && groups.priorityClass(name, Optional.of(new PriorityRank(value, takes, first)));
      case Fact.PriorityClassGone(String name, long at) ->
          classVersions.gone(name, at) && groups.priorityClass(name, Optional.empty());
      case Fact.NamespaceSeen(String name, long at, QueueName queue, var labels, boolean ends) ->
          namespaceVersions.seen(name, at)
              && groups.namespace(name, new NamespaceDefaults(queue, labels, ends));
      case Fact.NamespaceGone(String name, long at) ->
          namespaceVersions.gone(name, at) && groups.namespace(name, NamespaceDefaults.UNKNOWN);
    };
  }
}
