package dev.berth.engine.forecast;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/// When waiting groups are likely to start, learned from groups of their queue that waited before
/// them.
///
/// The more groups wait in its queue when a group comes, the longer it waits: what is learned of
/// groups of a queue and size is the ratio of their waits to that number. A forecast is a quantile
/// of these ratios, times the number that the group found. (What those groups ask for, at the pace
/// at which the queue was given GPUs of late, tells less: a few large groups, or a pause, count in
/// it for days.) Half of the groups shall start by the median, nine of ten by [Forecast#p90]: each
/// quantile is shifted by a small step up with each group of the queue that starts later, and down
/// with each one that starts before (adaptive conformal inference, Gibbs and Candès 2021). So it
/// holds in the long run, however waits are distributed and whether or not that changes.
/// [#calibration] says how far it held.
///
/// What the groups of one queue ask for, whether they start and when, changes no forecast of
/// another queue that has starts of its own; one that has too few gets what is usual for queues. Of
/// how many wait in its own queue a forecast tells the magnitude alone.
///
/// It does not know how long running work takes, or which group comes before which. Groups that
/// cannot start before something is changed (a queue that does not exist, too few members) have no
/// forecast. Any thread.
public final class StartForecasts {
  private static final int MEDIAN = 0;
  private static final int P90 = 1;
  private static final double[] LEVELS = {0.5, 0.9};

  private static final int MOST_GROUPS = 20_000; // that wait; no more are followed
  private static final Duration MOST = Duration.ofDays(90); // beyond it nothing is told
  private static final double SHORTEST = 0.001; // of waits, in seconds

  /// Binary digits of how many groups of the queue wait that go into a forecast.
  private static final int TOLD_DIGITS = 3;

  // Guarded by this.
  private final Map<GroupKey, WaitingGroup> waiting =
      new HashMap<>(); // looked up, and walked to compare
  private final FollowedGroups followed;
  private final TreeSet<Due> due = new TreeSet<>();
  private final WaitRatios ratios = new WaitRatios();
  private final QueueShifts shifts = new QueueShifts(LEVELS);
  private final long[] held = new long[LEVELS.length];
  private final long[] judged = new long[LEVELS.length];

  /// When a forecast passes.
  private record Due(Instant at, GroupKey group, QueueName queue, int level)
      implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = at.compareTo(other.at);
      int byGroup = byTime != 0 ? byTime : group.compareTo(other.group);
      return byGroup != 0 ? byGroup : Integer.compare(level, other.level);
    }
  }

  /// A group that waits.
  ///
  /// @param size by which groups are alike
  /// @param line groups that waited in its queue when it came, itself included
  private record WaitingGroup(
      QueueName queue, Instant since, int size, long line, List<Due> dues) {}

  public StartForecasts() {
    this(MOST_GROUPS);
  }

  /// @param most groups that are followed at a time; queues get equal parts of it
  StartForecasts(int most) {
    this.followed = new FollowedGroups(most);
  }

  /// Groups begin to wait, have started, or wait no more. O(waiting groups); to be called again
  /// within seconds, as starts count from the call that sees them.
  ///
  /// @param waits every group that waits, and why
  public synchronized void look(Snapshot snapshot, SortedMap<GroupKey, Reason> waits) {
    var now = snapshot.now();
    expire(now);
    var told = new HashMap<>(waits); // looked up for each: a tree takes longer
    for (GroupKey group : List.copyOf(waiting.keySet())) {
      var why = Optional.ofNullable(told.get(group));
      if (why.isPresent()) {
        if (!why.get().startsByItself()) {
          ends(group);
        }
        continue;
      }
      var counts = snapshot.group(group).map(MemberCounts::of).orElse(MemberCounts.NONE);
      if (counts.bound() > 0 || counts.ended() > 0) {
        starts(group, now);
      } else if (counts.planned() + counts.waiting() == 0) { // the plan may be later than these
        ends(group);
      }
    }
    waits.forEach((group, why) -> {
      if (!waiting.containsKey(group) && why.startsByItself()) {
        snapshot
            .group(group)
            .filter(it -> MemberCounts.of(it).bound() == 0)
            .ifPresent(it -> waits(group, it.queue(), gpuMillis(it), now));
      }
    });
  }

  /// How much of a device some memory is differs from node to node: it counts as all of it.
  private static long gpuMillis(PodGroup group) {
    return group.members().stream()
        .filter(member -> member.standing() instanceof Standing.Waiting)
        .map(member -> member.pod().asks().request().devices())
        .mapToLong(devices -> (long) devices.count() * Math.min(1000, devices.millisOn(0)))
        .sum();
  }

  /// A group begins to wait. One that waits already goes on.
  ///
  /// @param gpuMillis thousandths of GPUs that it asks for
  public synchronized void waits(GroupKey group, QueueName queue, long gpuMillis, Instant now) {
    expire(now);
    if (waiting.containsKey(group)) {
      return;
    }
    long line = line(queue);
    var entry = followed.enter(group, queue);
    if (!entry.isFollowed()) {
      return;
    }
    entry.instead().ifPresent(this::ends);
    var alone = new WaitingGroup(queue, now, size(gpuMillis), line, List.of());
    var dues =
        List.of(MEDIAN, P90).stream()
            .flatMap(level ->
                wait(alone, level, Duration.ZERO).stream()
                    .map(wait -> new Due(now.plus(wait), group, queue, level)))
            .toList();
    due.addAll(dues);
    waiting.put(group, new WaitingGroup(queue, now, alone.size, line, dues));
  }

  /// How many groups wait in a queue, and one more.
  private long line(QueueName queue) {
    return rounded(followed.of(queue)) + 1;
  }

  private static long rounded(long number) {
    int dropped = Long.SIZE - Long.numberOfLeadingZeros(number) - TOLD_DIGITS;
    return dropped <= 0 ? number : -(-number >> dropped << dropped);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  /// A group that waited has started. Of others nothing is learned.
  public synchronized void starts(GroupKey group, Instant now) {
    expire(now);
    var left = leave(group);
    if (left.isEmpty()) {
      return;
    }
    var was = left.get();
    was.dues.stream().filter(due::remove).forEach(kept -> judge(was.queue, kept.level, true));
    double wait = Math.max(SHORTEST, seconds(Duration.between(was.since, now)));
    ratios.add(was.queue, was.size, wait / was.line);
  }

  /// GPUs: 0, 1, 2–3, 4–7 …
  private static int size(long millis) {
    return Long.SIZE - Long.numberOfLeadingZeros(millis / 1000);
  }

  /// A group waits no more, and did not start.
  public synchronized void ends(GroupKey group) {
    leave(group).ifPresent(was -> was.dues.forEach(due::remove));
  }

  private Optional<WaitingGroup> leave(GroupKey group) {
    followed.leave(group);
    return Optional.ofNullable(waiting.remove(group));
  }

  /// Forecasts of groups that wait still and should have started count as missed.
  private void expire(Instant now) {
    while (!due.isEmpty() && due.first().at.isBefore(now)) {
      var missed = due.removeFirst();
      judge(missed.queue, missed.level, false);
    }
  }

  private void judge(QueueName queue, int level, boolean hasHeld) {
    judged[level]++;
    held[level] += hasHeld ? 1 : 0;
    shifts.judge(queue, level, hasHeld);
  }

  /// When a group would start that began to wait now. Nothing is learned of it. Empty where too few
  /// have started yet.
  public synchronized Optional<Forecast> ofNew(PodGroup group, Instant now) {
    var queue = group.queue();
    return forecast(
        new WaitingGroup(queue, now, size(gpuMillis(group)), line(queue), List.of()), now);
  }

  /// When a group starts that waits. Empty where too few have started yet, or none waited as long
  /// as it has.
  public synchronized Optional<Forecast> of(GroupKey group, Instant now) {
    return Optional.ofNullable(waiting.get(group)).flatMap(was -> forecast(was, now));
  }

  private Optional<Forecast> forecast(WaitingGroup was, Instant now) {
    var waited = Duration.between(was.since, now);
    var median = wait(was, MEDIAN, waited);
    var p90 = wait(was, P90, waited);
    if (median.isEmpty() || p90.isEmpty()) {
      return Optional.empty();
    }
    var late = p90.get().compareTo(median.get()) < 0 ? median.get() : p90.get();
    return Optional.of(new Forecast(was.since.plus(median.get()), was.since.plus(late)));
  }

  /// How long it waits in all, judged by those that waited longer than it has.
  private Optional<Duration> wait(WaitingGroup was, int level, Duration waited) {
    var ratio =
        ratios.quantile(
            was.queue,
            was.size,
            LEVELS[level],
            shifts.of(was.queue, level),
            seconds(waited) / was.line);
    if (ratio.isEmpty()) {
      return Optional.empty();
    }
    double wait = ratio.getAsDouble() * was.line;
    return Optional.of(wait < MOST.toSeconds() ? Duration.ofMillis((long) (wait * 1000)) : MOST);
  }

  /// How far forecasts have held so far.
  public synchronized Calibration calibration() {
    return new Calibration(level(MEDIAN), level(P90));
  }

  private Calibration.Level level(int level) {
    return new Calibration.Level(judged[level], held[level]);
  }
}
