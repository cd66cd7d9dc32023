package dev.berth.engine.session;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Topology;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// The cluster as it would be: room, queues and groups over one snapshot. Changed only through
/// [Statement]s, of which the innermost is always closed first, and by [#advance] to the next
/// snapshot. Longer than others, as all that one move changes (room, queues, claims, budgets, and
/// what is known of them) changes here and nowhere else.
public final class Session {
  private Snapshot snapshot;
  private final boolean again;
  private final FreeCapacity room;
  private final QueueTree queues;
  private final ClaimAllocation claims;
  private final GroupIndex roll = new GroupIndex();
  private final Budgets budgets = new Budgets();
  private final PodClasses podClasses;
  private final QueueName defaultQueue;
  private final WaitReasons verdicts = new WaitReasons();
  private final Preemptors preemptors = new Preemptors(roll);
  private final List<Change> log = new ArrayList<>();
  private final List<Change> past = new ArrayList<>(); // what was kept since the snapshot
  private final ArrayDeque<Statement> open = new ArrayDeque<>();

  /// What counts as non-preemptible of semi-preemptible groups. Looked up only.
  private final IdentityHashMap<Group, Charge> staying = new IdentityHashMap<>();

  private final TreeMap<PodUid, MemberState> ending = new TreeMap<>();

  private final List<Follower> followers = new ArrayList<>(1);
  private List<Session> others = List.of();

  private Optional<Supply> supply = Optional.empty();
  private Instant nextLook = Instant.MAX;
  private long growth;
  private long growths;
  private long settled;
  private final boolean mayAdvance; // groups came in key order

  /// What a seat was before a change.
  ///
  /// @param left stamp of the node that it left
  /// @param taken stamp of the node on which it came
  private record Change(
      MemberState seat,
      Assignment before,
      boolean inBlock,
      Cause cause,
      GroupKey beneficiary,
      long left,
      long taken) {}

  private Session(Snapshot snapshot, QueueName defaultQueue, boolean again) {
    this.snapshot = snapshot;
    this.defaultQueue = defaultQueue;
    this.again = again;
    room =
        new FreeCapacity(
            inOrder(snapshot.nodes(), Comparator.comparing(NodeView::name)),
            ClaimedDevices.memory(snapshot.devices()));
    queues = new QueueTree(withDefault(snapshot.queues(), defaultQueue));
    claims = new ClaimAllocation(snapshot.devices(), room);
    podClasses = new PodClasses(room, queues, Models.of(room, queues.countsModels()), claims);
    budgets.become(snapshot.budgets());
    var ordered = inOrder(snapshot.groups(), Comparator.comparing(PodGroup::key));
    mayAdvance = ordered == snapshot.groups();
    enter(ordered).forEach(roll::append);
    budgets.settle();
    podClasses.begin();
  }

  /// Takes in groups that come, and those in line again: who is before whom depends on all of them.
  private List<Group> enter(Iterable<PodGroup> come) {
    var line = new PlanQueue(room);
    if (again) {
      come.forEach(group -> standInLine(line, group));
    }
    come.forEach(claims::bill);
    var entered = new ArrayList<Group>();
    for (PodGroup group : come) {
      entered.add(add(group, again ? tentative(line, group) : Set.of()));
    }
    claims.settle();
    for (Group group : entered) {
      if (group.wantsMore()) {
        flaw(group).ifPresent(flaw -> verdicts.flawed(group, flaw));
      }
    }
    entered.forEach(this::takeOut);
    return entered;
  }

  /// Of a group's plans behind gates that are still closed those that are made again: they wait for
  /// room that whoever comes before them may take. A block is made again as a whole; so are all of
  /// them where the others would be fewer than start together.
  private Set<PodUid> tentative(PlanQueue line, PodGroup group) {
    var waiting = new LinkedHashSet<PodUid>();
    var closed = new LinkedHashMap<PodUid, WrittenPlan>();
    var blocks = new HashSet<String>();
    for (PodGroup.Member member : group.members()) {
      if (member.standing() instanceof Standing.Planned(var plan, var released) && !released) {
        closed.put(member.pod().uid(), plan);
        if (!line.holdsNow(plan, assignment(plan.placement()), member.pod())) {
          waiting.add(member.pod().uid());
          blocks.add(plan.gang());
        }
      }
    }
    if (waiting.isEmpty() || group.standsFast()) {
      return Set.of();
    }
    closed.forEach((uid, plan) -> {
      if (plan.size() > 1 && blocks.contains(plan.gang())) {
        waiting.add(uid);
      }
    });
    return isBelowMinimum(group, waiting) ? closed.keySet() : waiting;
  }

  private static boolean isBelowMinimum(PodGroup group, Set<PodUid> without) {
    var rest = new ArrayList<PodGroup.Member>(group.members());
    rest.replaceAll(member ->
        without.contains(member.pod().uid())
            ? new PodGroup.Member(member.pod(), new Standing.Waiting(), member.vetoes())
            : member);
    return Group.outside(group.of(rest)).isBelowMinimum();
  }

  private void standInLine(PlanQueue line, PodGroup group) {
    for (PodGroup.Member member : group.members()) {
      if (member.standing() instanceof Standing.Planned(var plan, var released) && !released) {
        line.add(
            plan,
            member.pod(),
            podClasses.of(member.pod().asks(), ClaimedGpus.NONE),
            assignment(plan.placement()));
      }
    }
  }

  private void takeOut(Group group) {
    for (MemberState seat : group.seats()) {
      if (seat.was() == MemberState.Was.TENTATIVE && seat.promised().isOnTheMap()) {
        room.giveBack(seat.podClass(), seat.promised());
      }
    }
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

  private Group add(PodGroup podGroup, Set<PodUid> tentative) {
    var group = new Group(podGroup, queues.find(podGroup.queue()));
    var moved = new ArrayList<MemberState>(0);
    for (PodGroup.Member member : podGroup.members()) {
      var seat = seat(group, member, tentative.contains(member.pod().uid()));
      if (seat.was() == MemberState.Was.MOVED) {
        moved.add(seat);
      } else {
        join(group, seat);
      }
    }
    moved.forEach(seat -> join(group, seat)); // whoever is there goes before them
    countStaying(group);
    boolean isCounted = group.queue() != QueueTree.NONE && !queues.isBroken(group.queue());
    roll.enter(group, !isCounted);
    return group;
  }

  private void join(Group group, MemberState seat) {
    group.seat(seat);
    claims.begin(seat);
    budgets.add(seat);
    if (seat.isEnding()) {
      ending.put(seat.pod().uid(), seat);
    }
    if (seat.isPlaced()) {
      queues.add(group.queue(), charge(seat, seat.now()), group.isPreemptible());
    } else if (isAwaited(group, seat)) {
      queues.awaits(group.queue(), seat.podClass().asked());
    }
  }

  /// What a queue does not take from a namespace is no demand of it: else anybody's pods would
  /// raise the fair share of a queue, and lower those of the others.
  private boolean isAwaited(Group group, MemberState seat) {
    return seat.isPending() && queues.refusesNamespace(group.group()).isEmpty();
  }

  private MemberState seat(Group group, PodGroup.Member member, boolean tentative) {
    var podClass = podClasses.of(member.pod().asks(), claims.gpus(group.group(), member.pod()));
    return switch (member.standing()) {
      case Standing.Planned(var plan, _) when tentative ->
          MemberState.again(
              group, member, podClass, MemberState.Was.TENTATIVE, assignment(plan.placement()));
      case Standing.Leaving(_, var place, _) when again && isMoved(member.pod(), place) ->
          MemberState.again(group, member, podClass, MemberState.Was.MOVED, assignment(place));
      case Standing.Awaited(var place) when again && isMoved(member.pod(), place) ->
          MemberState.again(group, member, podClass, MemberState.Was.MOVED, assignment(place));
      case Standing standing -> new MemberState(group, member, podClass, assignment(standing));
    };
  }

  /// Claimed devices are still where their pod is.
  private static boolean isMoved(Pod pod, Placement again) {
    return !again.isNone() && pod.traits().claims().isEmpty();
  }

  private Optional<Reason> flaw(Group group) {
    return group
        .flaw()
        .or(() -> queueFlaw(group))
        .or(() -> topologyFlaw(group.root()))
        .or(() -> claims.flaw(group));
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
    if (!open.isEmpty()) {
      throw new IllegalStateException("a statement is open");
    }
    while (!past.isEmpty()) {
      undo(past.removeLast());
    }
    var touched = List.copyOf(roll.touched());
    roll.forgetTouched();
    verdicts.rewind();
    preemptors.rewind();
    budgets.rewind();
    followers.clear();
    nextLook = Instant.MAX;
    growth = ++growths;
    settled++;
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
        || !areSame(snapshot.queues(), later.queues())
        || !areSame(snapshot.topologies(), later.topologies())
        || !areSameDevices(snapshot.devices(), later.devices())
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
      // whoever is in line stands again below, unless he is gone
      if (come.get(group.key()) == group.group()) {
        come.remove(group.key());
      }
    }
    gone.forEach(this::remove);
    boolean changed = room.become(later.nodes());
    changed |= !turnover.get().come().isEmpty() || !turnover.get().gone().isEmpty();
    changed |= !snapshot.moves().equals(later.moves());
    changed |= !snapshot.backoffs().equals(later.backoffs());
    boolean sameBudgets = areSame(snapshot.budgets(), later.budgets());
    snapshot = later;
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

  /// Claims are counted anew for every snapshot.
  private static boolean areSameDevices(DynamicResources before, DynamicResources after) {
    return before.claims().isEmpty()
        && after.claims().isEmpty()
        && areSame(before.slices(), after.slices())
        && areSame(before.classes(), after.classes());
  }

  private void readBudgets() {
    var begun = budgets.become(snapshot.budgets());
    for (Group group : begun.isEmpty() ? List.<Group>of() : roll.all()) {
      if (begun.contains(group.key().namespace())) {
        group.seats().forEach(budgets::add);
      }
    }
  }

  private static <T> boolean areSame(List<T> before, List<T> after) {
    boolean same = before.size() == after.size();
    for (int i = 0; same && before != after && i < before.size(); i++) {
      same = before.get(i) == after.get(i);
    }
    return same;
  }

  private void remove(Group group) {
    for (MemberState seat : group.seats()) {
      if (seat.was() == MemberState.Was.TENTATIVE && seat.promised().isOnTheMap()) {
        room.take(seat.podClass(), seat.promised());
      }
      ending.remove(seat.pod().uid());
      if (seat.isPlaced()) {
        queues.subtract(group.queue(), charge(seat, seat.now()), group.isPreemptible());
      } else if (isAwaited(group, seat)) {
        queues.awaitsNoMore(group.queue(), seat.podClass().asked());
      }
      budgets.remove(seat);
    }
    var stays = staying.remove(group);
    if (stays != null) {
      queues.stays(group.queue(), stays, queues.nothing());
    }
    roll.leave(group);
    verdicts.leave(group);
  }

  /// Why nothing can start in a group's queue, if so.
  public Optional<Reason> queueFlaw(Group group) {
    return queues
        .flaw(group.group().queue(), defaultQueue)
        .or(() -> queues.refusesNamespace(group.group()));
  }

  private Optional<Reason> topologyFlaw(Role role) {
    var ask = role.topology();
    var topology = topology(ask.topology());
    if (!ask.isNone() && topology.isEmpty()) {
      var known = snapshot.topologies().stream().map(Topology::name).toList();
      var near = Spelling.nearest(ask.topology(), known).orElse("");
      return Optional.of(new Reason.NoSuchTopology(ask.topology(), near));
    }
    for (String level : List.of(ask.required(), ask.preferred())) {
      if (!level.isEmpty() && topology.isPresent() && topology.get().indexOf(level) < 0) {
        var known = topology.get().levelNames();
        var near = Spelling.nearest(level, known).orElse("");
        return Optional.of(new Reason.NoSuchTopology(ask.topology(), level, known, near));
      }
    }
    for (Role child : role.children()) {
      var flaw = topologyFlaw(child);
      if (flaw.isPresent()) {
        return flaw;
      }
    }
    return Optional.empty();
  }

  private Assignment assignment(Standing standing) {
    return switch (standing) {
      case Standing.Planned(var plan, _) -> assignment(plan.placement());
      case Standing.Bound(var placement) -> assignment(placement);
      case Standing.Waiting _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ ->
          Assignment.NOWHERE;
    };
  }

  private Assignment assignment(Placement placement) {
    return Assignment.of(placement, room);
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

  /// Who may not leave.
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

  /// Who hears of every move, undone ones included.
  public void follow(Follower one) {
    followers.add(one);
  }

  /// Keeps count of who is where.
  public interface Follower {
    /// A seat leaves a spot, or takes one, on a node that is on the map.
    ///
    /// @param by +1 or -1
    void moved(MemberState seat, int node, int by);
  }

  /// All groups, by key.
  public List<Group> groups() {
    return roll.all();
  }

  /// Groups of which a plan may have something to say, by key: somebody in them has no place, or
  /// may lose it to others, or something was changed here.
  public List<Group> involved() {
    return roll.involved();
  }

  /// Groups that may run only for so long, by key.
  public List<Group> mortal() {
    return roll.mortal();
  }

  /// Groups that say how long they will run, by key.
  public List<Group> timed() {
    return roll.timed();
  }

  /// What nodes have to divide, and what of it others use.
  public Supply supply() {
    var now = supply.filter(each -> each.isOf(room)).orElseGet(() -> new Supply(room, claims));
    supply = Optional.of(now);
    return now;
  }

  /// Groups that no queue answers for, or a broken one, by key.
  public List<Group> outside() {
    return roll.outside();
  }

  /// Groups of which anything was changed, be it undone by now.
  public List<Group> touched() {
    return roll.touched();
  }

  /// A lookup by key; O(log groups).
  public Optional<Group> group(GroupKey key) {
    int at = roll.indexOf(key);
    return at < 0 ? Optional.empty() : Optional.of(roll.all().get(at));
  }

  /// Asks something of one node, under index 0, as it would be without some of its pods. Nothing
  /// changes here.
  public boolean withoutOn(int n, Set<PodUid> pods, Predicate<FreeCapacity> question) {
    var alone = new FreeCapacity(room, n);
    for (Group group : roll.all()) {
      for (MemberState seat : group.seats()) {
        if (seat.now().node() == n && pods.contains(seat.pod().uid())) {
          alone.leave(seat.podClass(), new Assignment(0, seat.now().slots(), seat.now().millis()));
        }
      }
    }
    return question.test(alone);
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
    return snapshot.topologies().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  public Placement placement(Assignment assignment) {
    return assignment.placement(room);
  }

  // ---- why groups wait

  /// The last word on why a group waits.
  public void waits(Group group, Reason reason) {
    verdicts.waits(group, claims.told(group, reason));
  }

  /// Those who were told why they wait, in the order in which they were told first: that is the
  /// ordinary order. Some may have got a place since.
  public List<Group> refused() {
    return verdicts.refused();
  }

  /// Why a group waits, as far as anybody said.
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

  // ---- who has others leave

  /// A plan was kept in which others leave for this group. Those who leave for a group that lost
  /// its place to it leave for it now.
  public void claims(Group group) {
    preemptors.add(group);
  }

  /// Groups for which others leave, in the order in which their plans were made: each counts on
  /// what those before it left.
  public List<Group> preemptors() {
    return preemptors.all();
  }

  /// Whether others leave for the group.
  public boolean isPreemptor(Group group) {
    return preemptors.contains(group);
  }

  // ---- change

  public Statement open() {
    var statement = new Statement(this, log.size(), growth);
    open.push(statement);
    return statement;
  }

  /// Whether a statement is open, so that what is there now may be undone.
  public boolean isTrial() {
    return !open.isEmpty();
  }

  /// Names the last time room grew. As long as it says the same (outside of statements), what found
  /// no room finds none: room only shrank.
  public long growth() {
    return growth;
  }

  /// Names what was kept so far: outside of statements, as long as it says the same nothing
  /// changed.
  public long settled() {
    return settled;
  }

  void change(MemberState seat, Assignment to, boolean inBlock, Cause cause, GroupKey beneficiary) {
    if (open.isEmpty()) {
      throw new IllegalStateException("a change without a statement: " + seat);
    }
    log.add(
        new Change(
            seat,
            seat.now(),
            seat.isInBlock(),
            seat.cause(),
            seat.beneficiary(),
            stamp(seat.now()),
            stamp(to)));
    if (seat.isPlaced()) {
      growth = ++growths;
      if (!seat.now().isSame(seat.origin())) {
        preemptors.loseNewPlace();
      }
    }
    roll.touch(seat.group());
    move(seat, to);
    seat.mark(inBlock, cause, beneficiary);
  }

  void close(Statement statement, int mark, boolean kept, long growthBefore) {
    if (open.isEmpty() || !open.peek().equals(statement)) {
      throw new IllegalStateException("statements close in the reverse order of opening");
    }
    open.pop();
    if (!kept) {
      while (log.size() > mark) {
        undo(log.removeLast());
      }
      growth = growthBefore;
    } else if (open.isEmpty()) {
      settled += log.isEmpty() ? 0 : 1;
      past.addAll(log);
      log.clear();
    }
  }

  private long stamp(Assignment assignment) {
    return assignment.isOnTheMap() ? room.stamp(assignment.node()) : 0;
  }

  private void restore(Assignment assignment, long stamp) {
    if (assignment.isOnTheMap()) {
      room.restore(assignment.node(), stamp);
    }
  }

  private void undo(Change change) {
    var after = change.seat.now();
    move(change.seat, change.before);
    restore(after, change.taken);
    restore(change.before, change.left);
    change.seat.mark(change.inBlock, change.cause, change.beneficiary);
  }

  private void move(MemberState seat, Assignment to) {
    boolean wasVictim = seat.isVictim();
    detach(seat);
    seat.move(to);
    attach(seat);
    budgets.moved(seat, wasVictim);
    countStaying(seat.group());
  }

  /// The minimum of a semi-preemptible group counts as non-preemptible.
  private void countStaying(Group group) {
    if (group.isSemiPreemptible()) {
      var before = staying.getOrDefault(group, queues.nothing());
      var stays = charge(group.staying());
      staying.put(group, stays);
      queues.stays(group.queue(), before, stays);
    }
  }

  private void detach(MemberState seat) {
    var from = seat.now();
    if (!from.isSomewhere()) {
      return;
    }
    if (from.isOnTheMap()) {
      if (seat.isAtHome()) {
        room.leave(seat.podClass(), from);
      } else {
        room.giveBack(seat.podClass(), from);
      }
      claims.leave(seat);
      followers.forEach(follower -> follower.moved(seat, from.node(), -1));
    }
    queues.subtract(seat.group().queue(), charge(seat, from), seat.group().isPreemptible());
  }

  private void attach(MemberState seat) {
    var to = seat.now();
    if (!to.isSomewhere()) {
      return;
    }
    if (to.isOnTheMap()) {
      if (seat.isAtHome()) {
        room.stay(seat.podClass(), to);
      } else {
        seat.waits(!room.isFreeNow(seat.podClass(), to));
        room.take(seat.podClass(), to);
      }
      claims.place(seat, to.node());
      followers.forEach(follower -> follower.moved(seat, to.node(), 1));
    }
    queues.add(seat.group().queue(), charge(seat, to), seat.group().isPreemptible());
  }

  /// What queues are charged for members that have a place.
  public Charge charge(List<MemberState> placed) {
    var sum = queues.nothing();
    for (MemberState seat : placed) {
      sum = sum.plus(charge(seat));
    }
    return sum;
  }

  /// What queues are charged for a member; nothing where it has no place.
  public Charge charge(MemberState seat) {
    return seat.isPlaced() ? charge(seat, seat.now()) : queues.nothing();
  }

  /// What queues were charged for a member where it was when the session began; as long as it
  /// waited, what it counted then.
  public Charge chargeAtOrigin(MemberState seat) {
    return charge(seat, seat.origin());
  }

  /// Groups of which somebody is still to be asked to leave, for plans that were made before, by
  /// key.
  public List<Group> unasked() {
    return roll.unasked();
  }

  /// Members that are deleted and still there, in the order of their uids.
  public Collection<MemberState> ending() {
    return Collections.unmodifiableCollection(ending.values());
  }

  /// What those have of a queue, and below it, whose nodes answer. Looks at each of them.
  public long ending(int q, int r) {
    long all = 0;
    for (MemberState seat : ending.values()) {
      boolean isBelow = false;
      for (int level : queues.chain(seat.group().queue())) {
        isBelow |= level == q;
      }
      if (isBelow && isOnNodeThatAnswers(seat)) {
        all = Charge.sum(all, chargeUntilGone(seat).of(r));
      }
    }
    return all;
  }

  private boolean isOnNodeThatAnswers(MemberState seat) {
    return seat.member().standing() instanceof Standing.Leaving(var at, _, _)
        && assignment(at).isOnTheMap()
        && room.node(assignment(at).node()).node().ready();
  }

  /// What queues would be charged for a member that is deleted, as long as it is there.
  public Charge chargeUntilGone(MemberState seat) {
    return seat.isEnding() && seat.member().standing() instanceof Standing.Leaving(var at, _, _)
        ? charge(seat, assignment(at))
        : queues.nothing();
  }

  /// What queues are to be charged for a member as long as it is where it was when the session
  /// began, be it that it is to leave; nothing where it has no place yet, or is on its way.
  public Charge chargeUntilAsked(MemberState seat) {
    if (seat.isToBeAsked() && seat.member().standing() instanceof Standing.Leaving(var at, _, _)) {
      return charge(seat, assignment(at));
    }
    if (seat.was() == MemberState.Was.TENTATIVE) {
      return charge(seat, seat.promised()); // it may be too late to withdraw its plan
    }
    return seat.origin().isSomewhere() ? chargeAtOrigin(seat) : queues.nothing();
  }

  private Charge charge(MemberState seat, Assignment assignment) {
    return assignment.isOnTheMap()
        ? seat.podClass().chargeOn(room.kind(assignment.node()))
        : seat.podClass().asked();
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
