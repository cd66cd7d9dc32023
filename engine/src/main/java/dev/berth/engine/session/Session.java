package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.model.Topology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The cluster as it would be: room, queues and groups over one snapshot. Changed only through
/// [Statement]s, of which the innermost is always closed first, and by [#advance] to the next
/// snapshot.
public final class Session {
  private Snapshot snapshot;
  private final FreeCapacity room;
  private final QueueTree queues;
  private final QueueFlaws queueFlaws;
  private final ClaimAllocation claims;
  private final GroupIndex roll = new GroupIndex();
  private final Budgets budgets = new Budgets();
  private final PodClasses podClasses;
  private final WaitReasons verdicts = new WaitReasons();
  private final Preemptors preemptors = new Preemptors(roll);
  private final Occupancy occupancy;
  private final ChangeLog changes;
  private final GroupEntry entry;
  private List<Session> others = List.of();

  private Optional<Supply> supply = Optional.empty();
  private Instant nextLook = Instant.MAX;
  private final boolean mayAdvance; // groups came in key order

  private Session(Snapshot snapshot, QueueName defaultQueue, boolean again) {
    this.snapshot = snapshot;
    room =
        new FreeCapacity(
            inOrder(snapshot.nodes(), Comparator.comparing(NodeView::name)),
            DeviceInventory.claimableMemory(snapshot.devices()));
    queues = new QueueTree(withDefault(snapshot.queues(), defaultQueue), room.hardware());
    queueFlaws = new QueueFlaws(queues, defaultQueue);
    claims = new ClaimAllocation(snapshot.devices(), room);
    podClasses =
        new PodClasses(room, queues, Models.of(room, queues.counted().countsModels()), claims);
    occupancy = new Occupancy(room, queues, claims, budgets);
    changes = new ChangeLog(occupancy, roll, preemptors);
    entry = new GroupEntry(occupancy, podClasses, roll, again);
    budgets.become(snapshot.budgets());
    var ordered = inOrder(snapshot.groups(), Comparator.comparing(PodGroup::key));
    mayAdvance = ordered == snapshot.groups();
    claims
        .billAndBound(ordered, group -> queueFlaws.flaw(group).isEmpty(), snapshot.now())
        .ifPresent(this::looksAgain);
    enter(ordered).forEach(roll::append);
    budgets.settle();
    podClasses.begin();
  }

  public static Session over(Snapshot snapshot) {
    return new Session(snapshot, QueueName.NONE, false);
  }

  /// @param defaultQueue the queue of pods that name none; it need not exist where no queue does
  public static Session over(Snapshot snapshot, QueueName defaultQueue) {
    return new Session(snapshot, defaultQueue, false);
  }

  /// A session for planning: plans onto room that is still being left are taken out, to be made
  /// again in the ordinary order.
  public static Session forPlanning(Snapshot snapshot, QueueName defaultQueue) {
    return new Session(snapshot, defaultQueue, true);
  }

  /// The queues, and the default one where it has no object: in a cluster without any Queue it may
  /// have everything, else what others leave.
  private static List<Queue> withDefault(List<Queue> queues, QueueName name) {
    var byName = Comparator.comparing(Queue::name);
    boolean known = queues.stream().anyMatch(queue -> queue.name().equals(name));
    if (known || name.isNone() && !queues.isEmpty()) {
      return inOrder(queues, byName);
    }
    var all = new ArrayList<>(queues);
    all.add(Queue.implied(name, queues.isEmpty()));
    return inOrder(all, byName);
  }

  private static <T> List<T> inOrder(List<T> list, Comparator<T> order) {
    for (int i = 1; i < list.size(); i++) {
      if (order.compare(list.get(i - 1), list.get(i)) > 0) {
        var sorted = new ArrayList<>(list);
        sorted.sort(order);
        return sorted;
      }
    }
    return list;
  }

  // ---- from one snapshot to the next

  /// What came and went on the way from one snapshot to a later one.
  ///
  /// @param gone also those that changed, as they were
  /// @param come also those that changed
  /// @param changed whether anything did: a node, a group, a budget, what may be moved
  public record News(List<Group> gone, List<Group> come, boolean changed) {}

  /// Undoes everything that was kept, so that all is as the snapshot says.
  ///
  /// @return the groups of which anything was changed
  public List<Group> rewind() {
    changes.rewind();
    var touched = List.copyOf(roll.touched());
    roll.forgetTouched();
    verdicts.rewind();
    preemptors.rewind();
    occupancy.rewind();
    nextLook = Instant.MAX;
    return touched;
  }

  /// Goes on with a later snapshot, after [#rewind]: what is the same object in both stays as it
  /// is, so that this costs what changed and a look at each reference.
  ///
  /// @return empty where too much is different; then this session is spent
  public Optional<News> advance(Snapshot later) {
    var turnover = SnapshotDiff.between(snapshot.groups(), later.groups());
    if (turnover.isEmpty()
        || podClasses.areTooMany()
        || !SnapshotDiff.sharesQueuesAndDevices(snapshot, later)
        || !mayAdvance
        || !room.canBecome(later.nodes())) {
      return Optional.empty();
    }
    var come = new TreeMap<>(turnover.get().come());
    var gone = new ArrayList<Group>();
    for (Group group : roll.inLine()) {
      gone.add(group);
      come.putIfAbsent(group.key(), group.group());
    }
    for (int i : turnover.get().gone()) {
      var group = roll.all().get(i);
      if (!group.isInLine()) {
        gone.add(group);
      }
      // waiting groups are lined up again below, unless they are gone
      if (come.get(group.key()) == group.group()) {
        come.remove(group.key());
      }
    }
    gone.forEach(this::remove);
    boolean changed = room.become(later.nodes());
    changed |= !turnover.get().come().isEmpty() || !turnover.get().gone().isEmpty();
    changed |= !snapshot.moves().equals(later.moves());
    changed |= !snapshot.backoffs().equals(later.backoffs());
    changed |= !snapshot.past().minRuntimeWaits().equals(later.past().minRuntimeWaits());
    boolean sameBudgets = SnapshotDiff.areSame(snapshot.budgets(), later.budgets());
    snapshot = later;
    come.values().forEach(claims::bill);
    var entered = enter(come.values());
    roll.become(gone, entered);
    if (!sameBudgets) {
      readBudgets();
    }
    budgets.settle();
    return queues.isExact()
        ? Optional.of(new News(gone, entered, changed || !sameBudgets))
        : Optional.empty();
  }

  private void readBudgets() {
    var begun = budgets.become(snapshot.budgets());
    for (Group group : begun.isEmpty() ? List.<Group>of() : roll.all()) {
      if (begun.contains(group.key().namespace())) {
        group.seats().forEach(budgets::add);
      }
    }
  }

  private List<Group> enter(Iterable<PodGroup> come) {
    var entered = entry.enter(come);
    var flaws = new GroupFlaws(queueFlaws, snapshot, claims);
    for (Group group : entered) {
      if (group.wantsMore()) {
        flaws.flaw(group).ifPresent(flaw -> verdicts.flawed(group, flaw));
      }
    }
    return entered;
  }

  private void remove(Group group) {
    occupancy.leave(group);
    roll.leave(group);
    verdicts.leave(group);
  }

  /// Why nothing can start in a group's queue, if so.
  public Optional<Reason> queueFlaw(Group group) {
    return queueFlaws.flaw(group.group());
  }

  /// The shapes of all members, and perhaps some of members that are gone.
  public List<PodClass> podClasses() {
    return podClasses.all();
  }

  /// A shape of a pod that may be no member here; it has no number of its own.
  public PodClass foreignShape(Pod pod) {
    return podClasses.foreign(pod);
  }

  // ---- what is there

  public Instant now() {
    return snapshot.now();
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  public FreeCapacity room() {
    return room;
  }

  public QueueTree queues() {
    return queues;
  }

  /// Which pods may not leave.
  public Budgets budgets() {
    return budgets;
  }

  /// This one is over a part of a cluster; those are over the rest of it, planned before or after.
  public void standsBeside(List<Session> rest) {
    others = rest;
  }

  /// Over the rest of the cluster.
  public List<Session> others() {
    return others;
  }

  /// Devices that pods claim.
  public ClaimAllocation claims() {
    return claims;
  }

  /// Is told every move, undone ones included.
  public void follow(MoveListener one) {
    occupancy.follow(one);
  }

  /// All groups, by key.
  public List<Group> groups() {
    return roll.all();
  }

  /// What nodes have to divide, and what of it others use.
  public Supply supply() {
    var now = supply.filter(each -> each.isOf(room)).orElseGet(() -> new Supply(room, claims));
    supply = Optional.of(now);
    return now;
  }

  /// Which of them a plan may have something to say of.
  public GroupIndex index() {
    return roll;
  }

  /// A lookup by key; O(log groups).
  public Optional<Group> group(GroupKey key) {
    int at = roll.indexOf(key);
    return at < 0 ? Optional.empty() : Optional.of(roll.all().get(at));
  }

  /// Groups that wait and may be tried, by key: nothing in them, their queue or their topology is
  /// wrong, and they have pods enough.
  public List<Group> waiting() {
    var waiting = new ArrayList<Group>();
    for (Group group : roll.involved()) {
      if (group.isWaiting() && !verdicts.isFlawed(group)) {
        waiting.add(group);
      }
    }
    return waiting;
  }

  public Optional<Topology> topology(String name) {
    return snapshot.topology(name);
  }

  public Placement placement(Assignment assignment) {
    return room.placement(assignment);
  }

  // ---- why groups wait

  /// The last word on why a group waits.
  public void waits(Group group, Reason reason) {
    verdicts.waits(group, claims.told(group, reason));
  }

  /// The groups that were given a reason to wait, in the order in which they first were: that is
  /// the ordinary order. Some may have got a place since.
  public List<Group> refused() {
    return verdicts.refused();
  }

  /// Why a group waits, as far as it is known.
  public Optional<Reason> reason(Group group) {
    return verdicts.reason(group);
  }

  // ---- when to look again

  /// At this moment time alone changes something; the earliest that was named counts.
  public void looksAgain(Instant when) {
    nextLook = when.isBefore(nextLook) ? when : nextLook;
  }

  /// `MAX` = time alone changes nothing.
  public Instant nextLook() {
    return nextLook;
  }

  /// Groups for which others leave.
  public Preemptors preemptors() {
    return preemptors;
  }

  // ---- change

  public Statement open() {
    return changes.open();
  }

  /// Whether a statement is open, so that what is there now may be undone.
  public boolean isTrial() {
    return changes.isTrial();
  }

  /// Names the last time room grew. As long as it says the same (outside of statements), what found
  /// no room finds none: room only shrank.
  public long growth() {
    return changes.growth();
  }

  /// Names what was kept so far: outside of statements, as long as it says the same nothing
  /// changed.
  public long settled() {
    return changes.settled();
  }

  // ---- what queues are charged

  /// What queues are charged for members.
  public MemberCharges charges() {
    return occupancy.charges();
  }

  /// Members that are deleted and still there, in the order of their uids.
  public Collection<MemberState> ending() {
    return occupancy.ending();
  }

  /// What those have of a queue, and below it, whose nodes answer. Looks at each of them.
  public long ending(int q, int r) {
    return occupancy.ending(q, r);
  }

  /// Everything that can change, as text: equal before and after what left no trace.
  public String fingerprint() {
    var text = new StringBuilder();
    room.fingerprint(text);
    queues.fingerprint(text);
    claims.fingerprint(text);
    for (Group group : roll.all()) {
      for (MemberState seat : group.seats()) {
        text.append(seat).append(' ').append(seat.isInBlock()).append('\n');
      }
      text.append(group.key()).append(' ').append(group.root().waiting()).append('\n');
    }
    return text.append(verdicts.said()).toString();
  }
}
