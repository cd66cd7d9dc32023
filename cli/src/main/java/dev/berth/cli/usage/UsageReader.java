package dev.berth.cli.usage;

import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.cli.usage.GpuHold.QuotaAccount;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.replay.LogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads GPU-hours from the snapshots of a log.
///
/// A snapshot follows each change within seconds, so a pod holds its GPUs from the first snapshot
/// that shows it bound, or from the moment at which its status says that it started, up to the
/// first snapshot that does not show it bound any more. Where the planner began anew and did not go
/// on at once, there is a gap: a pod that is there on both sides held its GPUs throughout, one that
/// ended in it did up to the last snapshot before.
public final class UsageReader {
  /// A process that goes on with its log in another file does so with the next change; another
  /// process may have run meanwhile where that took longer.
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /// Two processes may plan beside each other for so long, while leadership changes.
  private static final Duration LONGEST_OVERLAP = Duration.ofMinutes(10);

  /// A pod that is gone so long after the end of its grace did not leave because it was evicted.
  private static final Duration LEAVING = Duration.ofMinutes(10);

  private final UsageWindow window;
  private final List<UsageDimension> by;
  private final UsageCells cells;
  private final UsageMeter meter;
  private final ArrayList<UsageGap> gaps = new ArrayList<>();
  private final HashMap<PodUid, Instant> askedUntil = new HashMap<>(); // looked up only
  private final TreeSet<GroupKey> claiming = new TreeSet<>(); // groups that claim devices
  private final TreeSet<String> labels = new TreeSet<>(); // asked for, and not found yet
  private PlannerSettings settings = PlannerSettings.DEFAULT; // until the log begins
  private boolean begins; // a file, and no snapshot of it has come yet
  private Optional<Instant> first = Optional.empty();
  private Snapshot last = Snapshot.empty(Instant.MIN);
  private long skipped;

  private UsageReader(UsageWindow window, List<UsageDimension> by) {
    this.window = window;
    this.by = List.copyOf(by);
    this.cells = new UsageCells(by);
    this.meter = new UsageMeter(window, cells);
    by.stream()
        .filter(each -> each.kind() == UsageDimension.Kind.LABEL)
        .forEach(each -> labels.add(each.label()));
  }

  /// @param files of one log, the oldest first
  /// @throws DecisionLogException where they are not of one cluster, or hold nothing of the window
  public static UsageReport read(List<Path> files, UsageWindow window, List<UsageDimension> by)
      throws IOException, DecisionLogException {
    var reader = new UsageReader(window, by);
    for (Path file : files) {
      if (reader.isDone()) {
        break;
      }
      try (var entries = new DecisionFileReader(file)) {
        for (var next = entries.next(); next.isPresent(); next = entries.next()) {
          reader.see(file, next.get());
          if (reader.isDone()) {
            break;
          }
        }
      }
    }
    return reader.report();
  }

  private boolean isDone() {
    return !last.now().isBefore(window.to());
  }

  private void see(Path file, LogEntry entry) throws DecisionLogException {
    switch (entry) {
      case LogEntry.Begin(_, PlannerSettings told) -> {
        settings = told;
        begins = true;
      }
      case LogEntry.Accounted(var snapshot) -> see(file, snapshot);
      case LogEntry.Planned planned -> {
        see(file, planned.snapshot());
        if (planned.outcome() instanceof LogEntry.Outcome.Made(Plan plan)) {
          plan.decisions().forEach(decision -> decision.victims().forEach(each -> asked(each)));
        }
      }
    }
  }

  private void asked(Victim victim) {
    if (meter.hold(victim.uid()).isPresent()) {
      askedUntil.put(victim.uid(), last.now().plus(victim.grace()).plus(LEAVING));
    }
  }

  private void see(Path file, Snapshot now) throws DecisionLogException {
    if (now == last) {
      return;
    }
    if (now.now().isBefore(last.now())) {
      if (last.now().isAfter(now.now().plus(LONGEST_OVERLAP))) {
        throw new DecisionLogException(
            file
                + " goes back from "
                + last.now()
                + " to "
                + now.now()
                + ": these are logs of more than one cluster. Give the log of one");
      }
      skipped++;
      return;
    }
    boolean isGap =
        first.isPresent()
            && begins
            && now.now().isAfter(last.now())
            && (now.version() < last.version()
                || now.now().isAfter(last.now().plus(LONGEST_PAUSE)));
    if (first.isEmpty()) {
      first = Optional.of(now.now());
      meter.at(now.now().toEpochMilli());
    }
    move(now, isGap);
    begins = false;
    last = now;
  }

  /// What a snapshot shows of changed groups.
  ///
  /// @param holds in the order of groups and members
  /// @param started when pods started, as their status says
  private record Seen(
      LinkedHashMap<PodUid, GpuHold> holds, HashMap<PodUid, Instant> started, Ended ended) {}

  /// @param well pods that succeeded
  /// @param there pods that are in the groups
  private record Ended(HashSet<PodUid> well, HashSet<PodUid> there) {}

  private void move(Snapshot now, boolean isGap) {
    var held = new HeldGpus(now, settings.poolLabel(), settings.defaultQueue());
    var seen =
        new Seen(
            new LinkedHashMap<>(), new HashMap<>(), new Ended(new HashSet<>(), new HashSet<>()));
    var before = new ArrayList<PodGroup>();
    ListChanges.between(
        last.groups(),
        now.groups(),
        PodGroup::key,
        i -> before.add(last.groups().get(i)),
        j -> look(now.groups().get(j), held, seen));
    lookAtClaims(now, before, held, seen);
    long end = now.now().toEpochMilli();
    if (isGap) {
      moveAcrossGap(now, before, seen);
    } else {
      starts(seen, end);
      meter.at(end);
      endings(before, seen).forEach(hold -> end(hold, seen, now.now()));
    }
    seen.holds.values().forEach(meter::put);
    if (now.queues() != last.queues() || first.equals(Optional.of(now.now()))) {
      quotas(now);
    }
  }

  private void look(PodGroup group, HeldGpus held, Seen seen) {
    var holds = held.of(group);
    holds.forEach(hold -> seen.holds.put(hold.uid(), hold));
    if (HeldGpus.claims(group)) {
      claiming.add(group.key());
    }
    var holding = new HashSet<PodUid>();
    holds.forEach(hold -> holding.add(hold.uid()));
    for (Member member : group.members()) {
      var pod = member.pod();
      labels.removeIf(pod.traits().labels()::containsKey);
      seen.started.put(pod.uid(), pod.life().started());
      if (holding.contains(pod.uid())) {
        seen.ended.there.add(pod.uid());
      } else if (member.standing().endedWell()) {
        seen.ended.well.add(pod.uid());
      }
    }
  }

  /// Which of several pods is charged for a claim may be another one now.
  private void lookAtClaims(Snapshot now, List<PodGroup> before, HeldGpus held, Seen seen) {
    boolean mayDiffer =
        now.devices() != last.devices()
            || before.stream().anyMatch(group -> claiming.contains(group.key()))
            || seen.holds.values().stream().anyMatch(hold -> claiming.contains(hold.workload()));
    if (claiming.isEmpty() || !mayDiffer) {
      return;
    }
    claiming.removeIf(key -> now.group(key).isEmpty());
    for (GroupKey key : claiming) {
      now.group(key).ifPresent(group -> look(group, held, seen));
    }
  }

  /// Pods that were bound since the last snapshot, from when they started.
  private void starts(Seen seen, long end) {
    if (last.now().equals(Instant.MIN)) { // what was before the log is not in it
      return;
    }
    var starts = new ArrayList<GpuHold>();
    for (GpuHold hold : seen.holds.values()) {
      boolean waited = meter.hold(hold.uid()).map(GpuHold::isWaiting).orElse(true);
      var told = seen.started.getOrDefault(hold.uid(), Instant.MAX);
      if (!hold.isWaiting()
          && waited
          && told.isAfter(last.now())
          && told.isBefore(Instant.ofEpochMilli(end))) {
        starts.add(hold);
      }
    }
    starts.sort(
        Comparator.<GpuHold, Instant>comparing(
                hold -> seen.started.getOrDefault(hold.uid(), Instant.MAX))
            .thenComparing(GpuHold::uid));
    for (GpuHold hold : starts) {
      meter.at(seen.started.getOrDefault(hold.uid(), Instant.MAX).toEpochMilli());
      meter.put(hold);
    }
  }

  /// What was held, or waited for, and is no more.
  private List<GpuHold> endings(List<PodGroup> before, Seen seen) {
    var endings = new TreeMap<PodUid, GpuHold>();
    for (PodGroup group : before) {
      for (Member member : group.members()) {
        var uid = member.pod().uid();
        if (!seen.ended.there.contains(uid)) {
          meter.hold(uid).ifPresent(hold -> endings.put(uid, hold));
        }
      }
    }
    return List.copyOf(endings.values());
  }

  private void end(GpuHold hold, Seen seen, Instant moment) {
    var until = Optional.ofNullable(askedUntil.remove(hold.uid()));
    boolean evicted =
        !hold.isWaiting()
            && !seen.ended.well.contains(hold.uid())
            && until.filter(latest -> !moment.isAfter(latest)).isPresent();
    meter.end(hold.uid(), evicted);
  }

  /// What was held and waits now, as where a Binding was taken for written that was not.
  private List<GpuHold> lost(Seen seen) {
    var lost = new ArrayList<GpuHold>();
    for (GpuHold hold : seen.holds.values()) {
      if (hold.isWaiting()) {
        meter.hold(hold.uid()).filter(before -> !before.isWaiting()).ifPresent(lost::add);
      }
    }
    return lost;
  }

  private void moveAcrossGap(Snapshot now, List<PodGroup> before, Seen seen) {
    long begin = last.now().toEpochMilli();
    long end = now.now().toEpochMilli();
    long unknown = 0;
    for (GpuHold hold : endings(before, seen)) {
      unknown = UsageAmounts.sum(unknown, meter.mayHold(hold, begin, end));
      end(hold, seen, last.now());
    }
    for (GpuHold hold : lost(seen)) {
      unknown = UsageAmounts.sum(unknown, meter.mayHold(hold, begin, end));
      meter.end(hold.uid(), false);
    }
    starts(seen, end);
    for (GpuHold hold : seen.holds.values()) {
      boolean isNew = meter.hold(hold.uid()).map(GpuHold::isWaiting).orElse(true);
      unknown = UsageAmounts.sum(unknown, isNew ? meter.mayHold(hold, begin, end) : 0);
    }
    meter.at(end);
    boolean isAsked = last.now().isBefore(window.to()) && now.now().isAfter(window.from());
    if (isAsked) {
      gaps.add(new UsageGap(last.now(), now.now(), unknown));
    }
  }

  private void quotas(Snapshot now) {
    var quotas = new TreeMap<QuotaAccount, Long>();
    meter.quotas(account ->
        quotas.computeIfAbsent(account, _ -> QuotaPosition.quota(now, account, settings)));
  }

  private UsageReport report() throws DecisionLogException {
    var begun = first.orElseThrow(() -> new DecisionLogException("there is no plan in the log"));
    if (!last.now().isAfter(window.from()) || !begun.isBefore(window.to())) {
      throw new DecisionLogException(
          "the log is of "
              + begun
              + " to "
              + last.now()
              + ": nothing of that is in the time that --from and --to ask for");
    }
    meter.finish();
    boolean isLate = begun.isAfter(window.from()) && !window.from().equals(Instant.MIN);
    boolean isEarly = !isDone() && !window.to().equals(Instant.MAX);
    return new UsageReport(
        by,
        cells.rows(),
        cells.all(),
        begun.isAfter(window.from()) ? begun : window.from(),
        isDone() ? window.to() : last.now(),
        gaps,
        new UsageReport.Limits(
            isLate ? Optional.of(begun) : Optional.empty(),
            isEarly ? Optional.of(last.now()) : Optional.empty(),
            skipped,
            List.copyOf(labels),
            settings.poolLabel().isEmpty()
                && by.stream().anyMatch(each -> each.kind() == UsageDimension.Kind.POOL)));
  }
}
