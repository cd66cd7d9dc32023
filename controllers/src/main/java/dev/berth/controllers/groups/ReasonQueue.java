package dev.berth.controllers.groups;

import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// Which waiting pod is told next why it waits: each once it has waited for a while, when the kind
/// of reason changes, now and then when its numbers change, and again where what was told is
/// forgotten.
///
/// A kind of reason is told once it has held for a while; that it is about something else, a claim
/// that was created or a limit that was raised, at once. A pod whose reason turns again and again
/// between kinds keeps what it was told: the pause doubles with each turn, up to some minutes, and
/// begins anew after a while without one.
///
/// All share a budget, of which changed numbers get a tenth, and namespaces take turns, in both.
/// The work depends on how many groups change and how many pods are told, not on how many wait. Any
/// thread.
final class ReasonQueue {
  /// Between two words to one pod that differ in numbers alone.
  private static final Duration BETWEEN_CHANGES = Duration.ofMinutes(1);

  /// Between two kinds of reasons that are told to one pod, at the most, and after how long without
  /// another kind the pause begins anew.
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private static final Duration UNTIL_CALM = Duration.ofMinutes(10);

  /// What was told is not so for so long: it is told what is, though that changes all the time.
  private static final Duration LONGEST_UNTRUE = Duration.ofMinutes(1);

  /// What was told to so many pods that wait no longer is still known: they may wait again.
  private static final int REMEMBERED = 20_000;

  /// How often pods are told.
  ///
  /// @param patience how long a pod waits before it is told why
  /// @param again what has not changed is told again after so long
  /// @param perSecond lasting; five seconds' worth at once
  record Pace(Duration patience, Duration again, double perSecond) {}

  /// @param since when the pod was first seen to wait
  /// @param why what it was told last; empty = nothing yet
  /// @param at when
  /// @param turns how often another kind of reason was told, one soon after the other
  /// @param turnedAt when that was last
  private record Told(
      Instant since, Optional<PendingReason> why, Instant at, int turns, Instant turnedAt) {
    static Told nothing(Instant since) {
      return new Told(since, Optional.empty(), Instant.EPOCH, 0, Instant.EPOCH);
    }

    boolean isOfKind(PendingReason other) {
      return why.filter(last -> last.isOfKind(other)).isPresent();
    }

    Told and(PendingReason now, Instant at) {
      boolean turns = !isOfKind(now);
      boolean isQuiescent = at.isAfter(turnedAt.plus(UNTIL_CALM));
      int before = isQuiescent ? 0 : this.turns;
      return new Told(
          since,
          Optional.of(now),
          at,
          turns && why.isPresent() ? before + 1 : before,
          turns ? at : turnedAt);
    }
  }

  /// A pod that waits, in one of three lines: until it is due, the same for changed numbers, or,
  /// once it is due, that of its namespace.
  private static final class Entry {
    private final PodUid uid;
    private final GroupKey group;
    private Pod pod;
    private PendingReason why;
    private Told told;
    private Instant due = Instant.MAX;
    private Instant held; // since when its reason has this code
    private Instant untrue; // since when it is of another kind than was told; `MAX` = it is not
    private boolean isOfNumbers;
    private boolean isReady;
    private boolean isGone;

    Entry(Pod pod, GroupKey group, PendingReason why, Told told, Instant now) {
      this.uid = pod.uid();
      this.group = group;
      this.pod = pod;
      this.why = why;
      this.told = told;
      this.held = told.why.filter(last -> last.hasCodeOf(why)).isPresent() ? told.at : now;
      this.untrue = told.isOfKind(why) ? Instant.MAX : now;
    }

    void waits(PendingReason other, Instant now) {
      held = why.hasCodeOf(other) ? held : now;
      why = other;
      untrue = told.isOfKind(other) ? Instant.MAX : untrue.equals(Instant.MAX) ? now : untrue;
    }

    /// Whether it was told the same kind of reason, with other numbers.
    boolean hasOtherNumbers() {
      return told.isOfKind(why) && !told.why.equals(Optional.of(why));
    }
  }

  private static final Comparator<Entry> BY_DUE =
      Comparator.<Entry, Instant>comparing(entry -> entry.due).thenComparing(entry -> entry.uid);

  private final Pace pace;
  private final TokenBucket budget;
  private final TokenBucket budgetOfNumbers;
  private final Workers workers;
  private final BiConsumer<Pod, PendingReason> tell;

  // All below: guarded by this.
  private final HashMap<PodUid, Entry> entries = new HashMap<>();
  private final TreeMap<GroupKey, Set<PodUid>> groups = new TreeMap<>();
  private final LinkedHashMap<PodUid, Told> past =
      new LinkedHashMap<>(); // of pods that wait no longer
  private final TreeSet<Entry> later = new TreeSet<>(BY_DUE);
  private final TreeSet<Entry> numbers = new TreeSet<>(BY_DUE);
  private final LinkedHashMap<String, LinkedHashSet<Entry>> ready = new LinkedHashMap<>();
  private final LinkedHashMap<String, LinkedHashSet<Entry>> readyNumbers = new LinkedHashMap<>();
  private Instant nextLook = Instant.MAX;

  /// @param tell called under this queue's lock: it waits for nothing
  ReasonQueue(Pace pace, Workers workers, BiConsumer<Pod, PendingReason> tell) {
    this.pace = pace;
    this.workers = workers;
    this.tell = tell;
    int burst = (int) Math.max(1, pace.perSecond * 5);
    this.budget = new TokenBucket(pace.perSecond, burst, workers.time());
    this.budgetOfNumbers = new TokenBucket(pace.perSecond / 10, 1, workers.time());
  }

  /// These of a group wait now, and no others of it.
  ///
  /// @param pods none = no pod of it waits
  synchronized void wait(GroupKey group, List<Pod> pods, PendingReason why, Instant now) {
    var uids = new HashSet<PodUid>();
    for (Pod pod : pods) {
      uids.add(pod.uid());
      var known = of(group, pod.uid());
      if (known.isPresent()) {
        var entry = known.get();
        leaveLine(entry);
        entry.pod = pod;
        entry.waits(why, now);
        if (entry.isReady && entry.isOfNumbers && !entry.hasOtherNumbers()) {
          takeOut(entry); // it waits for more than the turn of changed numbers
        }
        stand(entry);
      } else {
        enter(pod, group, why, now);
      }
    }
    for (PodUid uid : groups.getOrDefault(group, Set.of())) {
      if (!uids.contains(uid)) {
        of(group, uid).ifPresent(this::drop);
      }
    }
    if (uids.isEmpty()) {
      groups.remove(group);
    } else {
      groups.put(group, uids);
    }
  }

  /// A pod that has joined another group meanwhile waits as that one does.
  private Optional<Entry> of(GroupKey group, PodUid uid) {
    return Optional.ofNullable(entries.get(uid)).filter(entry -> entry.group.equals(group));
  }

  private void enter(Pod pod, GroupKey group, PendingReason why, Instant now) {
    Optional.ofNullable(entries.get(pod.uid())).ifPresent(this::drop);
    var told = Optional.ofNullable(past.remove(pod.uid()));
    var entry = new Entry(pod, group, why, told.orElseGet(() -> Told.nothing(now)), now);
    entries.put(entry.uid, entry);
    stand(entry);
  }

  /// No pod of a group waits.
  synchronized void waitNoLonger(GroupKey group) {
    for (PodUid uid : groups.getOrDefault(group, Set.of())) {
      of(group, uid).ifPresent(this::drop);
    }
    groups.remove(group);
  }

  /// Forgets the waiting pods, but not what was told.
  synchronized void clear() {
    List.copyOf(entries.values()).forEach(this::drop);
    groups.clear();
  }

  private void drop(Entry entry) {
    leaveLine(entry);
    entry.isGone = true;
    entries.remove(entry.uid);
    past.put(entry.uid, entry.told);
    if (past.size() > REMEMBERED) {
      past.pollFirstEntry();
    }
  }

  private void leaveLine(Entry entry) {
    if (!entry.isReady) {
      (entry.isOfNumbers ? numbers : later).remove(entry);
    }
  }

  private void stand(Entry entry) {
    if (!entry.isReady) { // else it is told what is so by then
      entry.due = due(entry);
      entry.isOfNumbers = entry.hasOtherNumbers();
      (entry.isOfNumbers ? numbers : later).add(entry);
    }
  }

  private Instant due(Entry entry) {
    var last = entry.told;
    if (last.why.isEmpty()) {
      return last.since.plus(pace.patience);
    }
    if (entry.hasOtherNumbers()) {
      return last.at.plus(BETWEEN_CHANGES);
    }
    if (last.isOfKind(entry.why)) {
      return last.at.plus(pace.again);
    }
    var held = entry.held.plus(pace.patience);
    var untrue = entry.untrue.plus(LONGEST_UNTRUE);
    return latest(earlier(held, untrue), last.turnedAt.plus(pause(last.turns)));
  }

  private Duration pause(int turns) {
    return new Backoff(pace.patience, LONGEST_PAUSE).after(turns);
  }

  private synchronized void look() {
    var now = workers.time().instant();
    if (!nextLook.isAfter(now)) {
      nextLook = Instant.MAX;
      tellDue(now);
    }
  }

  /// Tells the pods that are due, as the budget allows, and looks again by itself.
  synchronized void tellDue(Instant now) {
    while (isDue(later, now)) {
      makeReady(later.pollFirst(), ready);
    }
    while (isDue(numbers, now)) {
      makeReady(numbers.pollFirst(), readyNumbers);
    }
    while (isAnyReady(ready, false) && budget.tryTake()) {
      tell(next(ready), now);
    }
    while (isAnyReady(readyNumbers, true) && budgetOfNumbers.tryTake() && budget.tryTake()) {
      tell(next(readyNumbers), now);
    }
    lookAgain(now);
  }

  private static boolean isDue(TreeSet<Entry> line, Instant now) {
    return !line.isEmpty() && !line.first().due.isAfter(now);
  }

  private static void makeReady(Entry entry, LinkedHashMap<String, LinkedHashSet<Entry>> into) {
    entry.isReady = true;
    into.computeIfAbsent(entry.pod.key().namespace(), _ -> new LinkedHashSet<>()).add(entry);
  }

  private void takeOut(Entry entry) {
    entry.isReady = false;
    var namespace = entry.pod.key().namespace();
    readyNumbers.computeIfPresent(
        namespace,
        (_, turns) -> {
          turns.remove(entry);
          return turns.isEmpty() ? null : turns;
        });
  }

  /// Takes out pods that wait no longer, and those whose reason is again what they were told.
  private boolean isAnyReady(LinkedHashMap<String, LinkedHashSet<Entry>> ready, boolean ofNumbers) {
    while (!ready.isEmpty()) {
      var first = ready.firstEntry().getValue();
      while (!first.isEmpty() && !isStillDue(first.getFirst(), ofNumbers)) {
        var entry = first.removeFirst();
        entry.isReady = false;
        if (!entry.isGone) {
          stand(entry);
        }
      }
      if (!first.isEmpty()) {
        return true;
      }
      ready.pollFirstEntry();
    }
    return false;
  }

  private boolean isStillDue(Entry entry, boolean ofNumbers) {
    return !entry.isGone
        && entry.hasOtherNumbers() == ofNumbers
        && !due(entry).isAfter(workers.time().instant());
  }

  /// The first of the namespace whose turn it is; then it is the next one's.
  private static Entry next(LinkedHashMap<String, LinkedHashSet<Entry>> ready) {
    var turn = ready.pollFirstEntry();
    var entry = turn.getValue().removeFirst();
    entry.isReady = false;
    if (!turn.getValue().isEmpty()) {
      ready.put(turn.getKey(), turn.getValue());
    }
    return entry;
  }

  private void tell(Entry entry, Instant now) {
    entry.told = entry.told.and(entry.why, now);
    entry.untrue = Instant.MAX;
    stand(entry);
    tell.accept(entry.pod, entry.why);
  }

  private void lookAgain(Instant now) {
    Instant next = Instant.MAX;
    if (!ready.isEmpty()) {
      next = budget.next();
    } else if (!later.isEmpty()) {
      next = later.first().due;
    }
    if (!readyNumbers.isEmpty()) {
      next = earlier(next, latest(budgetOfNumbers.next(), budget.next()));
    } else if (!numbers.isEmpty()) {
      next = earlier(next, latest(numbers.first().due, budgetOfNumbers.next(), budget.next()));
    }
    if (next.isBefore(nextLook)) {
      nextLook = next;
      workers.at(next.isAfter(now) ? next : now, this::look);
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  private static Instant latest(Instant... all) {
    Instant latest = Instant.MIN;
    for (Instant each : all) {
      latest = each.isAfter(latest) ? each : latest;
    }
    return latest;
  }
}
