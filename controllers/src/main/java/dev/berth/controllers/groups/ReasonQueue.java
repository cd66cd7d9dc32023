package dev.berth.controllers.groups;

import dev.berth.controllers.loop.TokenBucket;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
/// All share a budget, of which changed numbers get a tenth, and namespaces take turns. The work
/// depends on how many groups change and how many pods are told, not on how many wait. Any thread.
final class ReasonQueue {
  /// Between two words to one pod that differ in numbers or names alone.
  private static final Duration BETWEEN_CHANGES = Duration.ofMinutes(1);

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
  private record Told(Instant since, Optional<Why> why, Instant at) {}

  /// A pod that waits, in one of three lines: until it is due, the same for changed numbers, or,
  /// once it is due, that of its namespace.
  private static final class Entry {
    private final PodUid uid;
    private final GroupKey group;
    private Pod pod;
    private Why why;
    private Told told;
    private Instant due = Instant.MAX;
    private boolean isOfNumbers;
    private boolean isReady;
    private boolean isGone;

    Entry(Pod pod, GroupKey group, Why why, Told told) {
      this.uid = pod.uid();
      this.group = group;
      this.pod = pod;
      this.why = why;
      this.told = told;
    }

    /// Whether it was told the same kind of reason, with other numbers.
    boolean hasOtherNumbers() {
      var last = told.why;
      return last.isPresent() && last.get().code().equals(why.code()) && !last.get().equals(why);
    }
  }

  private static final Comparator<Entry> BY_DUE =
      Comparator.<Entry, Instant>comparing(entry -> entry.due).thenComparing(entry -> entry.uid);

  private final Pace pace;
  private final TokenBucket budget;
  private final TokenBucket budgetOfNumbers;
  private final Workers workers;
  private final BiConsumer<Pod, Why> tell;

  // All below: guarded by this.
  private final HashMap<PodUid, Entry> entries = new HashMap<>();
  private final TreeMap<GroupKey, Set<PodUid>> groups = new TreeMap<>();
  private final LinkedHashMap<PodUid, Told> past = new LinkedHashMap<>(); // of who waits no longer
  private final TreeSet<Entry> later = new TreeSet<>(BY_DUE);
  private final TreeSet<Entry> numbers = new TreeSet<>(BY_DUE);
  private final LinkedHashMap<String, ArrayDeque<Entry>> ready = new LinkedHashMap<>();
  private Instant nextLook = Instant.MAX;

  /// @param tell called under this queue's lock: it waits for nothing
  ReasonQueue(Pace pace, Workers workers, BiConsumer<Pod, Why> tell) {
    this.pace = pace;
    this.workers = workers;
    this.tell = tell;
    int burst = (int) Math.max(1, pace.perSecond * 5);
    this.budget = new TokenBucket(pace.perSecond, burst, workers.time());
    this.budgetOfNumbers = new TokenBucket(pace.perSecond / 10, 1, workers.time());
  }

  /// These of a group wait now, and no others of it.
  ///
  /// @param pods none = nobody of it waits
  synchronized void wait(GroupKey group, List<Pod> pods, Why why, Instant now) {
    var uids = new HashSet<PodUid>();
    for (Pod pod : pods) {
      uids.add(pod.uid());
      var known = of(group, pod.uid());
      if (known.isPresent()) {
        var entry = known.get();
        leaveLine(entry);
        entry.pod = pod;
        entry.why = why;
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

  /// Who has joined another group meanwhile waits as that one does.
  private Optional<Entry> of(GroupKey group, PodUid uid) {
    return Optional.ofNullable(entries.get(uid)).filter(entry -> entry.group.equals(group));
  }

  private void enter(Pod pod, GroupKey group, Why why, Instant now) {
    Optional.ofNullable(entries.get(pod.uid())).ifPresent(this::drop);
    var told = Optional.ofNullable(past.remove(pod.uid()));
    var entry =
        new Entry(
            pod, group, why, told.orElseGet(() -> new Told(now, Optional.empty(), Instant.EPOCH)));
    entries.put(entry.uid, entry);
    stand(entry);
  }

  /// Nobody of a group waits.
  synchronized void waitNoLonger(GroupKey group) {
    for (PodUid uid : groups.getOrDefault(group, Set.of())) {
      of(group, uid).ifPresent(this::drop);
    }
    groups.remove(group);
  }

  /// Forgets who waits, but not what was told.
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
    return last.at.plus(last.why.get().equals(entry.why) ? pace.again : pace.patience);
  }

  private synchronized void look() {
    var now = workers.time().instant();
    if (!nextLook.isAfter(now)) {
      nextLook = Instant.MAX;
      tellDue(now);
    }
  }

  /// Tells those who are due, as the budget allows, and looks again by itself.
  synchronized void tellDue(Instant now) {
    while (isDue(later, now)) {
      makeReady(later.pollFirst());
    }
    while (isAnyReady() && budget.tryTake()) {
      tell(next(), now);
    }
    while (isDue(numbers, now) && budgetOfNumbers.tryTake() && budget.tryTake()) {
      tell(numbers.pollFirst(), now);
    }
    lookAgain(now);
  }

  private static boolean isDue(TreeSet<Entry> line, Instant now) {
    return !line.isEmpty() && !line.first().due.isAfter(now);
  }

  private void makeReady(Entry entry) {
    entry.isReady = true;
    ready.computeIfAbsent(entry.pod.key().namespace(), _ -> new ArrayDeque<>()).add(entry);
  }

  /// Takes out those who wait no longer, and those whose reason is again what they were told.
  private boolean isAnyReady() {
    while (!ready.isEmpty()) {
      var first = ready.firstEntry().getValue();
      while (!first.isEmpty() && !isStillDue(first.getFirst())) {
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

  private boolean isStillDue(Entry entry) {
    return !entry.isGone
        && !entry.hasOtherNumbers()
        && !due(entry).isAfter(workers.time().instant());
  }

  /// The first of the namespace whose turn it is; then it is the next one's.
  private Entry next() {
    var turn = ready.pollFirstEntry();
    var entry = turn.getValue().removeFirst();
    entry.isReady = false;
    if (!turn.getValue().isEmpty()) {
      ready.put(turn.getKey(), turn.getValue());
    }
    return entry;
  }

  private void tell(Entry entry, Instant now) {
    entry.told = new Told(entry.told.since, Optional.of(entry.why), now);
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
    if (!numbers.isEmpty()) {
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
