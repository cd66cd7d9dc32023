package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.groups.DesiredGroupStatus.ReasonText;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.ExponentialBackoff;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WorkloadPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/// Writes the status of PodGroup objects and tells their events. Compares by reference first, so
/// groups in which nothing happened cost nothing; one write at a time per group and, but for a few
/// that may come at once, not more often than a pause allows, so that the last state wins. Where
/// nothing but the words of a reason changed, such as how much is free, that is written now and
/// then, in a line with all others; another limit or quota at once. [ForecastUpdates] says when a
/// forecast is written.
///
/// What the watch shows is the measure. Where an earlier leader has said the same, nothing is
/// written and no event told again. Where something else stands there than what was written last, a
/// write was done late, or another client wrote: it is put right.
public final class GroupStatusWriter {
  /// A group comes to be, is complete and finds no room within milliseconds: that is told at once.
  private static final int AT_ONCE = 3;

  /// Between two writes for one group that differ in words alone.
  private static final Duration BETWEEN_WORDS = Duration.ofSeconds(10);

  /// Between two events of one group that differ in the kind of reason alone: doubled with each, up
  /// to the longest, until none comes for a while.
  private static final Duration BETWEEN_KINDS = Duration.ofSeconds(5);

  private static final Duration LONGEST_BETWEEN = Duration.ofMinutes(5);
  private static final Backoff KINDS = new Backoff(BETWEEN_KINDS, LONGEST_BETWEEN);
  private static final Duration UNTIL_CALM = Duration.ofMinutes(10);

  /// What is seen may be older than what was written last.
  private static final Duration DOUBT = Duration.ofSeconds(2);

  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(30));

  /// What was said last about a group.
  private static final class Told {
    private PodGroup group;
    private ReasonText words;
    private Fate fate = Fate.NONE;
    private PodGroupStatus status;
    private PodGroupStatus written; // last, or what stood there before
    private Instant rested = Instant.EPOCH; // when a pause for each of its writes is over
    private Instant toldAt = Instant.EPOCH; // when it was last put among those that are written
    private String event; // what was last told in one
    private WorkloadPhase phase; // of that event
    private Instant eventAt = Instant.EPOCH;
    private Duration untilNextKind = Duration.ZERO;
    private final ExponentialBackoff putRight =
        new ExponentialBackoff(DOUBT, LONGEST_BETWEEN, UNTIL_CALM);

    /// @param before what its object says
    Told(PodGroup group, ReasonText words, PodGroupStatus before) {
      this.group = group;
      this.words = words;
      this.status = before;
      this.written = before;
      this.event = before.isNone() ? "" : eventOf(before);
      this.phase = before.phase();
    }

    private boolean isWritten() {
      return status.equals(written);
    }

    private boolean isToStart() {
      return DesiredGroupStatus.isToStart(status.phase(), status.members(), words);
    }

    private static String eventOf(PodGroupStatus status) {
      return status.phase().word() + status.reason();
    }
  }

  private final PodGroupClient groups;
  private final EventRecorder events;
  private final Workers workers;
  private final Duration pause;
  private final Duration podReasonDelay;
  private final Duration grace;
  private final KeyedLoop<GroupKey> loop;
  private final TellingQueues queues; // of groups that are told alone
  private final ForecastUpdates forecasts;

  /// Guarded by this, and what is in it.
  private final TreeMap<GroupKey, Told> told = new TreeMap<>();

  // Guarded by this: of objects that exist, and keys of those that are looked at again soon.
  private final TreeMap<GroupKey, PodGroupStatus> shown = new TreeMap<>();
  private final TreeSet<GroupKey> doubted = new TreeSet<>();

  // Guarded by this.
  private SortedMap<GroupKey, SortedMap<Resource, Long>> charged = new TreeMap<>();
  private boolean isCharged; // queues were looked at

  /// @param forecasts when a group is likely to start, as of a moment
  public GroupStatusWriter(
      PodGroupClient groups,
      EventRecorder events,
      Workers workers,
      GroupSettings settings,
      BiFunction<GroupKey, Instant, Optional<Forecast>> forecasts) {
    this.groups = groups;
    this.events = events;
    this.workers = workers;
    this.pause = settings.pause();
    this.podReasonDelay = settings.podReasonDelay();
    this.grace = settings.stalenessGracePeriod();
    this.loop = new KeyedLoop<>("statuses", workers, PACE, GroupKey::namespace, this::write);
    this.queues =
        new TellingQueues(settings.eventsPerSecond(), workers, loop::add, this::tellEvent);
    this.forecasts =
        new ForecastUpdates(
            forecasts, new ForecastStatuses(), workers, settings.forecastsPerSecond());
  }

  /// What a member of a stale group says of the others; empty where it is not stale.
  ///
  /// @param staleSince when the group fell below its minimum; `EPOCH` = it has not
  String besides(PodGroup group, Instant staleSince) {
    return staleSince.equals(Instant.EPOCH)
        ? ""
        : BelowMinimum.besides(group, BelowMinimum.end(group, staleSince, grace));
  }

  synchronized void tell(PodGroup group, ReasonText words, Fate fate, Instant now) {
    var key = group.key();
    var known = told.get(key);
    boolean same =
        known != null
            && known.group == group
            && known.words.equals(words)
            && known.fate.equals(fate);
    if (same) {
      return;
    }
    var last =
        told.computeIfAbsent(
            key, _ -> new Told(group, words, shown.getOrDefault(key, PodGroupStatus.NONE)));
    boolean isSameSubject = words.subject().equals(last.words.subject());
    last.group = group;
    last.words = words;
    last.fate = fate;
    var before = last.status;
    boolean hasEnded = group.members().isEmpty() && before.phase() == WorkloadPhase.FINISHED;
    last.status =
        hasEnded // it stays as it ended, though its pods are deleted, until others come
            ? before.of(group.spec().generation())
            : DesiredGroupStatus.status(
                group,
                words,
                fate,
                grace,
                allocated(key, before),
                before,
                now.truncatedTo(ChronoUnit.SECONDS));
    if (last.isToStart()) {
      forecasts.begins(key, now);
    }
    if (last.status.equals(before)) {
      return;
    }
    if (last.status.differsInWordsAlone(before) && isSameSubject) {
      queues.otherWords(key, last.toldAt.plus(BETWEEN_WORDS));
      return;
    }
    last.toldAt = now;
    loop.add(key);
    if (PendingMembers.areYetToCome(last.status)) { // pods are usually created with it
      workers.at(now.plus(podReasonDelay), () -> tellEventLater(key, now));
      return;
    }
    var next = last.eventAt.plus(last.untilNextKind);
    if (last.status.phase() == last.phase && next.isAfter(now)) {
      queues.eventOfOtherKind(key, next); // it goes on waiting
    } else {
      queues.event(key, isStillComing(words) ? now.plus(podReasonDelay) : now);
    }
  }

  /// Owners make pods one after another: that some are missing is told once it has lasted as long
  /// as pods wait before they tell.
  private static boolean isStillComing(ReasonText words) {
    return words.code().equals(Reason.TooFewMembers.class.getSimpleName());
  }

  /// What members are charged with, by group, now and then. It comes along with whatever else is
  /// written, or in the line of other words.
  synchronized void allocated(SortedMap<GroupKey, SortedMap<Resource, Long>> charges) {
    var before = charged;
    boolean isFirst = !isCharged;
    charged = charges;
    isCharged = true;
    told.forEach((key, last) -> {
      if (isFirst || !Objects.equals(charges.get(key), before.get(key))) {
        last.status = last.status.with(allocated(key, last.status));
        if (!last.isWritten()) {
          queues.otherWords(key, last.toldAt.plus(BETWEEN_WORDS));
        }
      }
    });
  }

  /// As the last look at the queues found it; what stands there before the first one.
  private SortedMap<String, String> allocated(GroupKey key, PodGroupStatus before) {
    if (!isCharged) {
      return before.allocated();
    }
    var texts = new TreeMap<String, String>();
    Optional.ofNullable(charged.get(key))
        .ifPresent(charge ->
            charge.forEach(
                (resource, amount) -> texts.put(resource.name(), resource.text(amount))));
    return texts;
  }

  /// The watch shows what an object says.
  synchronized void seen(GroupKey key, PodGroupStatus status) {
    var last = told.get(key);
    if (last == null) {
      shown.put(key, status);
      return;
    }
    boolean isOurs = status.equals(last.written);
    shown.put(key, isOurs ? last.written : status);
    if (!isOurs && !status.equals(last.status) && doubted.add(key)) {
      var next = last.putRight.next();
      var soon = workers.time().instant().plus(DOUBT);
      workers.at(next.isAfter(soon) ? next : soon, () -> lookAgain(key));
    }
  }

  synchronized void gone(GroupKey key) {
    shown.remove(key);
    told.remove(key);
    leaveQueues(key);
  }

  private void leaveQueues(GroupKey key) {
    queues.gone(key);
    forecasts.gone(key);
  }

  /// Keys that wait to be told, looked at or written.
  int waiting() {
    return queues.kept() + forecasts.kept();
  }

  /// If something else still stands there it is put right: more and more seldom, for the other
  /// client may not give in.
  private synchronized void lookAgain(GroupKey key) {
    doubted.remove(key);
    var last = told.get(key);
    var is = shown.get(key);
    if (last == null || is == null || is.equals(last.written)) {
      return;
    }
    last.putRight.happened(workers.time().instant());
    last.written = is;
    loop.add(key);
  }

  /// Looked at only now and then: a few that are gone do no harm.
  synchronized void forgetAllBut(List<PodGroup> present) {
    if (told.size() > 2 * present.size() + 100) {
      var keys = new TreeSet<GroupKey>();
      present.forEach(group -> keys.add(group.key()));
      told.keySet().stream().filter(key -> !keys.contains(key)).forEach(this::leaveQueues);
      told.keySet().retainAll(keys);
    }
  }

  private Next write(GroupKey key) throws ClientException {
    PodGroupStatus before;
    PodGroupStatus status;
    var likely = forecasts.likely(key);
    synchronized (this) {
      var last = told.get(key);
      if (last == null || last.isWritten()) {
        return Next.done();
      }
      if (last.isToStart()) {
        last.status = last.status.with(forecasts.renewed(last.status.forecast(), likely));
      }
      before = last.written;
      status = last.status;
    }
    groups.status(key, before, status);
    synchronized (this) {
      var last = told.get(key);
      if (last == null) {
        return Next.done();
      }
      last.toldAt = workers.time().instant();
      last.written = status;
      return next(last);
    }
  }

  private final class ForecastStatuses implements ForecastUpdates.Statuses {
    @Override
    public Optional<ForecastStatus> told(GroupKey key) {
      synchronized (GroupStatusWriter.this) {
        return Optional.ofNullable(told.get(key))
            .filter(Told::isToStart)
            .map(last -> last.status.forecast());
      }
    }

    @Override
    public void tell(GroupKey key, ForecastStatus forecast) {
      synchronized (GroupStatusWriter.this) {
        var last = told.get(key);
        if (last == null || !last.isToStart()) {
          return;
        }
        last.status = last.status.with(forecast);
      }
      loop.add(key);
    }
  }

  private Next next(Told last) {
    var now = workers.time().instant();
    last.rested = (now.isAfter(last.rested) ? now : last.rested).plus(pause);
    var next = last.rested.minus(pause.multipliedBy(AT_ONCE - 1));
    if (next.isAfter(now)) {
      return Next.notBefore(next);
    }
    return last.isWritten() ? Next.done() : Next.at(now);
  }

  private synchronized void tellEventLater(GroupKey key, Instant now) {
    if (told.containsKey(key)) {
      queues.event(key, now);
    }
  }

  /// What is so by then; nothing, if that was told before.
  private synchronized void tellEvent(GroupKey key) {
    var last = told.get(key);
    if (last == null) {
      return;
    }
    var status = last.status;
    var words = last.words;
    boolean waits = !words.code().isEmpty();
    String event = Told.eventOf(status);
    if (event.equals(last.event)) {
      return;
    }
    var now = workers.time().instant();
    boolean isOfKind = status.phase() == last.phase;
    boolean isSoon = now.isBefore(last.eventAt.plus(UNTIL_CALM));
    last.untilNextKind = isOfKind && isSoon ? KINDS.next(last.untilNextKind) : BETWEEN_KINDS;
    last.eventAt = now;
    last.phase = status.phase();
    last.event = event;
    events.tell(
        new Regarding(
            "berth.dev/v1alpha1", "PodGroup", key.namespace(), key.name(), last.group.spec().uid()),
        words.warning(),
        waits ? words.code() : status.phase().word(),
        waits ? "Wait" : "Plan",
        waits ? words.sentence() : PhaseSentences.of(last.group, status));
  }
}
