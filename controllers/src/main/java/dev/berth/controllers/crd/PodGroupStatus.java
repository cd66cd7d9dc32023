package dev.berth.controllers.crd;

import dev.berth.engine.model.WorkloadPhase;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// `status` of a PodGroup, as `crds/podgroups.yaml` describes it.
///
/// @param reason code of the `Reason`; empty where nothing stands in the way
/// @param message its sentence
/// @param staleSince `Instant.EPOCH` = not stale
/// @param runsSince since when it runs with its minimum; `Instant.EPOCH` = it does not
/// @param observedGeneration of the spec that it speaks of; 0 = not told
/// @param allocated what its members are charged with, by resource, in the texts in which it is
///   written
/// @param forecast when it is likely to start
public record PodGroupStatus(
    WorkloadPhase phase,
    String reason,
    String message,
    Instant staleSince,
    Instant runsSince,
    long observedGeneration,
    SortedMap<String, String> allocated,
    Members members,
    ForecastStatus forecast,
    List<Condition> conditions) {
  /// Of an object without a status.
  public static final PodGroupStatus NONE =
      new PodGroupStatus(
          WorkloadPhase.PENDING,
          "",
          "",
          Instant.EPOCH,
          Instant.EPOCH,
          0,
          new TreeMap<>(),
          Members.UNTOLD,
          ForecastStatus.NONE,
          List.of());

  public PodGroupStatus {
    message = Printable.line(message);
    allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
    conditions = List.copyOf(conditions);
  }

  /// The same with another allocation.
  public PodGroupStatus with(SortedMap<String, String> charges) {
    return new PodGroupStatus(
        phase,
        reason,
        message,
        staleSince,
        runsSince,
        observedGeneration,
        charges,
        members,
        forecast,
        conditions);
  }

  /// The same with another forecast.
  public PodGroupStatus with(ForecastStatus other) {
    return new PodGroupStatus(
        phase,
        reason,
        message,
        staleSince,
        runsSince,
        observedGeneration,
        allocated,
        members,
        other,
        conditions);
  }

  /// The same of a later spec.
  public PodGroupStatus of(long generation) {
    return new PodGroupStatus(
        phase,
        reason,
        message,
        staleSince,
        runsSince,
        generation,
        allocated,
        members,
        forecast,
        conditions);
  }

  /// Whether nothing is told.
  public boolean isNone() {
    return equals(NONE);
  }

  /// Whether the same is so for the same kind of reason, told in other words or numbers; or without
  /// a reason, with another allocation. Conditions beside those that follow from these count.
  public boolean differsInWordsAlone(PodGroupStatus other) {
    return phase == other.phase
        && reason.equals(other.reason)
        && staleSince.equals(other.staleSince)
        && runsSince.equals(other.runsSince)
        && observedGeneration == other.observedGeneration
        && members.equals(other.members)
        && conditions.size() == other.conditions.size()
        && (!reason.isEmpty() || !allocated.equals(other.allocated));
  }

  /// Reads the status of an object. What is of another shape reads as if it were not there: it is
  /// written anew.
  public static PodGroupStatus read(Map<String, ?> object) {
    var status = StatusTree.map(object, "status");
    return new PodGroupStatus(
        WorkloadPhase.of(StatusTree.text(status, "phase")),
        StatusTree.text(status, "reason"),
        StatusTree.text(status, "message"),
        StatusTree.time(status, "staleSince"),
        StatusTree.time(status, "runsSince"),
        StatusTree.number(status, "observedGeneration"),
        StatusTree.texts(status, "allocated"),
        Members.read(StatusTree.map(status, "members")),
        ForecastStatus.read(StatusTree.map(status, "forecast")),
        StatusTree.conditions(status));
  }

  /// The merge patch that makes this status of another.
  ///
  /// @param away what stands for a field that is empty: a merge patch would keep what stood there
  public Map<String, Object> over(PodGroupStatus before, Object away) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("phase", phase.word());
    tree.put("reason", reason.isEmpty() ? away : reason);
    tree.put("message", message.isEmpty() ? away : message);
    tree.put("staleSince", staleSince.equals(Instant.EPOCH) ? away : staleSince.toString());
    tree.put("runsSince", runsSince.equals(Instant.EPOCH) ? away : runsSince.toString());
    tree.put("observedGeneration", observedGeneration == 0 ? away : observedGeneration);
    tree.put("allocated", allocated.isEmpty() ? away : allocatedOver(before, away));
    tree.put("members", members.tree());
    tree.put("forecast", forecast.isNone() ? away : forecast.tree());
    tree.put("conditions", StatusTree.of(conditions));
    return tree;
  }

  private Map<String, Object> allocatedOver(PodGroupStatus before, Object away) {
    var tree = new TreeMap<String, Object>(allocated);
    before.allocated.keySet().forEach(gone -> tree.putIfAbsent(gone, away));
    return tree;
  }

  /// @param required below 0 = none of them is told
  /// @param succeeded in the run that is under way, those that are gone included
  public record Members(
      int required, int gated, int bound, int running, int failed, int succeeded) {
    static final Members UNTOLD = new Members(-1, 0, 0, 0, 0, 0);

    private static Members read(Map<String, ?> tree) {
      return tree.isEmpty()
          ? UNTOLD
          : new Members(
              number(tree, "required"),
              number(tree, "gated"),
              number(tree, "bound"),
              number(tree, "running"),
              number(tree, "failed"),
              number(tree, "succeeded"));
    }

    private static int number(Map<String, ?> tree, String field) {
      return (int) StatusTree.number(tree, field);
    }

    private Map<String, Object> tree() {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("required", (long) required);
      tree.put("gated", (long) gated);
      tree.put("bound", (long) bound);
      tree.put("running", (long) running);
      tree.put("failed", (long) failed);
      tree.put("succeeded", (long) succeeded);
      return tree;
    }
  }
}
