package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.state.Moment;
import dev.berth.extender.rest.state.Revision;
import dev.berth.extender.rest.state.WorkloadEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A gang, or a pod alone.
///
/// @param minMember members that start together
/// @param gpus that its bound and planned pods have, `1.5`; 0 where they have none
/// @param reason why it waits, `code` from the closed list and `sentence`; empty = it does not
/// @param forecast of one workload alone: `median` and `p90`, when it is likely to start; empty =
///   it does not wait, or too little is known
/// @param staleSince since when it runs below its minimum; empty = it does not
/// @param end of one workload alone: `at` which it is evicted for its max-runtime, by which `rule`,
///   and `warnedSince` when it is warned; empty = it has no end, or does not run
/// @param members of one workload alone
/// @param timeline of one workload alone, the earliest first
public record WorkloadAnswer(
    String namespace,
    String name,
    String queue,
    String phase,
    int priority,
    boolean preemptible,
    String created,
    int minMember,
    Pods pods,
    String asks,
    double gpus,
    SortedMap<String, String> reason,
    SortedMap<String, String> forecast,
    String staleSince,
    SortedMap<String, String> end,
    List<Pod> members,
    List<Event> timeline) {

  /// Pods by what has become of them.
  public record Pods(
      int total, int waiting, int planned, int bound, int running, int leaving, int ended) {}

  /// @param standing `waiting`, `awaited`, `planned`, `bound`, `leaving`, `succeeded`, `failed`
  /// @param running since when; empty = it does not run
  public record Pod(
      String name, String standing, String node, String asks, String running, String refusal) {}

  /// @param what `gated`, `planned`, `withdrawn`, `bound`, `running`, `evicted` or `ended`
  /// @param cause why pods were evicted
  public record Event(String at, String what, int pods, String cause) {}

  /// As a list shows it.
  public static WorkloadAnswer of(WorkloadEntry entry, Revision revision) {
    return of(entry, revision, Optional.empty(), NOTHING, List.of(), List.of());
  }

  /// With its members and what became of it.
  ///
  /// @param warning how long before their end workloads are warned for which no queue says it
  public static WorkloadAnswer inFull(
      WorkloadEntry entry,
      Revision revision,
      Optional<Forecast> forecast,
      List<Moment> moments,
      Duration warning,
      Visible visible) {
    var members = entry.group().members().stream().map(member -> pod(member, visible)).toList();
    var timeline =
        moments.stream()
            .map(one -> new Event(one.at().toString(), one.what().word(), one.pods(), one.cause()))
            .toList();
    var ending = EndSentences.ending(entry.group(), revision.snapshot(), warning);
    return of(
        entry,
        revision,
        forecast,
        EndSentences.fields(ending, revision.snapshot().now()),
        members,
        timeline);
  }

  private static WorkloadAnswer of(
      WorkloadEntry entry,
      Revision revision,
      Optional<Forecast> forecast,
      SortedMap<String, String> end,
      List<Pod> members,
      List<Event> timeline) {
    var group = entry.group();
    var counts = MemberCounts.of(group);
    var findings = revision.findings();
    var stale = Optional.ofNullable(findings.staleSince().get(group.key()));
    return new WorkloadAnswer(
        group.key().namespace(),
        group.key().name(),
        group.queue().value(),
        entry.phase().word(),
        group.priority(),
        group.preemptibility() == Preemptibility.PREEMPTIBLE,
        group.created().toString(),
        Math.max(1, group.spec().required()),
        new Pods(
            counts.total(),
            counts.waiting(),
            counts.planned(),
            counts.bound(),
            counts.running(),
            counts.leaving(),
            counts.ended()),
        asks(group),
        millis(group, revision) / 1000.0,
        why(group.key(), revision),
        forecast.map(WorkloadAnswer::likely).orElse(NOTHING),
        stale.map(Instant::toString).orElse(""),
        end,
        members,
        timeline);
  }

  static final SortedMap<String, String> NOTHING = Collections.emptySortedMap();

  /// Why a workload waits, in two fields; empty = it does not.
  static SortedMap<String, String> why(GroupKey key, Revision revision) {
    var findings = revision.findings();
    return Optional.ofNullable(findings.waits().get(key))
        .map(reason ->
            new Decision.Wait(key, reason, findings.ahead().getOrDefault(key, Ahead.NONE)))
        .map(wait -> why(wait, revision))
        .orElse(NOTHING);
  }

  private static SortedMap<String, String> why(Decision.Wait wait, Revision revision) {
    return why(wait, revision.snapshot(), revision.classes());
  }

  /// The same.
  ///
  /// @param cluster in which it waits
  static SortedMap<String, String> why(
      Decision.Wait wait, Snapshot cluster, PriorityClasses classes) {
    String sentence = WaitSentences.of(wait, cluster, classes);
    return new TreeMap<>(Map.of("code", wait.reason().code(), "sentence", sentence));
  }

  static SortedMap<String, String> likely(Forecast forecast) {
    return new TreeMap<>(
        Map.of("median", forecast.median().toString(), "p90", forecast.p90().toString()));
  }

  private static long millis(PodGroup group, Revision revision) {
    long millis = 0;
    for (Member member : group.members()) {
      var node = member.standing().placement().node();
      if (!node.isNone()) {
        var memory =
            revision.snapshot().node(node).map(room -> room.node().accelerator().memoryMib());
        var devices = member.pod().asks().request().devices();
        millis += (long) devices.count() * devices.millisOn(memory.orElse(0L));
      }
    }
    return millis;
  }

  private static Pod pod(Member member, Visible visible) {
    var life = member.pod().life();
    boolean runs = life.phase() == dev.berth.engine.model.Pod.Phase.RUNNING;
    boolean isTold = runs && !life.started().equals(Instant.MAX);
    return new Pod(
        member.pod().key().name(),
        NodeAnswer.stage(member.standing()),
        visible.nodes() ? member.standing().placement().node().value() : "",
        asks(member.pod().asks().request().devices()),
        isTold ? life.started().toString() : "",
        life.refusal());
  }

  /// `4 × 2 GPUs`, by the first member.
  static String asks(PodGroup group) {
    if (group.members().isEmpty()) {
      return "";
    }
    String each = asks(group.members().getFirst().pod().asks().request().devices());
    int pods = group.members().size();
    return pods > 1 ? pods + " × " + each : each;
  }

  /// `2 GPUs`, `0.5 of a GPU`, `2 × 8192Mi of a GPU`.
  private static String asks(DeviceRequest devices) {
    return switch (devices) {
      case DeviceRequest.None() -> "no GPU";
      case DeviceRequest.Whole(_, int count) -> count + (count == 1 ? " GPU" : " GPUs");
      case DeviceRequest.Fraction(int millis, _, int count) -> of(count, Resource.GPU.text(millis));
      case DeviceRequest.Memory(long mib, _, int count) -> of(count, mib + "Mi");
    };
  }

  private static String of(int count, String share) {
    return (count > 1 ? count + " × " : "") + share + " of a GPU";
  }
}
