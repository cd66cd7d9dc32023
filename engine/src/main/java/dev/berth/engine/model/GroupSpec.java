package dev.berth.engine.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// A PodGroup as its object says.
///
/// @param uid of the object, for status writes and events
/// @param generation of its spec; 0 = not told
/// @param minMember members that start together; 0 where `minSubGroup` or sub-groups decide
/// @param minSubGroup how many top-level sub-groups must start together; 0 = all of them
/// @param priorityClass empty = the priority of its pods
/// @param patience the durations of the group
/// @param staleSince since when its status says that it runs below its minimum; `EPOCH` = it does
///   not. Berth's, from before a restart: later ones are not news
/// @param run what its status said of it before a restart, or what the ledger remembers
/// @param completions what is still to complete, where completed members do not count towards the
///   minimum
/// @param problems what in it is invalid; such a group waits and says so
public record GroupSpec(
    GroupKey key,
    String uid,
    long version,
    long generation,
    Instant created,
    QueueName queue,
    int minMember,
    int minSubGroup,
    List<SubGroup> subGroups,
    TopologyAsk topology,
    String priorityClass,
    Preemptibility preemptibility,
    Patience patience,
    Instant staleSince,
    Run run,
    Completions completions,
    List<Problem> problems) {
  public GroupSpec {
    subGroups = List.copyOf(subGroups);
    problems = List.copyOf(problems);
  }

  /// One that does not run; its generation is not told.
  public GroupSpec(
      GroupKey key,
      String uid,
      long version,
      Instant created,
      QueueName queue,
      int minMember,
      int minSubGroup,
      List<SubGroup> subGroups,
      TopologyAsk topology,
      String priorityClass,
      Preemptibility preemptibility,
      Patience patience,
      Instant staleSince,
      List<Problem> problems) {
    this(
        key,
        uid,
        version,
        0,
        created,
        queue,
        minMember,
        minSubGroup,
        subGroups,
        topology,
        priorityClass,
        preemptibility,
        patience,
        staleSince,
        Run.NONE,
        Completions.NONE,
        problems);
  }

  /// The same, as the ledger remembers it.
  public GroupSpec with(Run other) {
    return run.equals(other) ? this : with(minMember, other, completions);
  }

  /// The same of a workload that makes other pods in the stead of those that complete.
  public GroupSpec with(Completions other) {
    return with(minMember, run, other);
  }

  /// The same with another minimum of its members.
  public GroupSpec withMinimum(int minimum) {
    return minimum == minMember ? this : with(minimum, run, completions);
  }

  /// The same with another tree.
  public GroupSpec withSubGroups(List<SubGroup> other) {
    return subGroups.equals(other) ? this : with(minMember, other, run, completions);
  }

  /// The same with another topology.
  ///
  /// @param wrong its problems then
  public GroupSpec withTopology(TopologyAsk other, List<Problem> wrong) {
    return with(minMember, subGroups, other, run, completions, wrong);
  }

  private GroupSpec with(int minimum, Run nextRun, Completions next) {
    return with(minimum, subGroups, nextRun, next);
  }

  private GroupSpec with(int minimum, List<SubGroup> tree, Run nextRun, Completions next) {
    return with(minimum, tree, topology, nextRun, next, problems);
  }

  private GroupSpec with(
      int minimum,
      List<SubGroup> tree,
      TopologyAsk near,
      Run nextRun,
      Completions next,
      List<Problem> wrong) {
    return new GroupSpec(
        key,
        uid,
        version,
        generation,
        created,
        queue,
        minimum,
        minSubGroup,
        tree,
        near,
        priorityClass,
        preemptibility,
        patience,
        staleSince,
        nextRun,
        next,
        wrong);
  }

  /// The same after members have completed of which the status of its workload does not tell yet:
  /// the minimum is never more than what is still to run.
  ///
  /// @param completed members that have, in all
  /// @param live members that are neither over nor leaving
  public GroupSpec after(int completed, int live) {
    if (completions.isNone()) {
      return this;
    }
    int untold = Math.max(0, completed - completions.told());
    boolean endsWithThese = completions.left() == Completions.UNTIL_ONE_HAS;
    int left =
        endsWithThese
            ? (completions.told() + untold > 0 ? live : Completions.UNTIL_ONE_HAS)
            : Math.max(0, completions.left() - untold);
    int minimum = Math.max(1, Math.min(minMember, left));
    int coming = endsWithThese ? 0 : Math.max(0, untold - (minMember - minimum));
    return with(minimum, run, new Completions(left, completions.told() + untold, coming));
  }

  /// The fewest members with which the tree meets its minimum.
  public int required() {
    return subGroups.isEmpty() ? minMember : required("", minSubGroup, children());
  }

  private static int required(
      String parent, int minimum, TreeMap<String, List<SubGroup>> children) {
    var here = children.getOrDefault(parent, List.of());
    var needed = new int[here.size()];
    for (int i = 0; i < needed.length; i++) {
      var each = here.get(i);
      boolean inner = children.containsKey(each.name());
      needed[i] = inner ? required(each.name(), each.minSubGroup(), children) : each.minMember();
    }
    Arrays.sort(needed);
    long sum = 0;
    for (int i = 0; i < needed.length && (minimum == 0 || i < minimum); i++) {
      sum += needed[i];
    }
    return (int) Math.min(sum, Integer.MAX_VALUE);
  }

  /// The sub-groups below each, by its name; those at the top by the empty one. Every name counts
  /// once, the first time, so that no way down leads in a circle or to the same one twice.
  public TreeMap<String, List<SubGroup>> children() {
    var names = new HashSet<String>(List.of("")); // looked up only
    var children = new TreeMap<String, List<SubGroup>>();
    for (SubGroup each : subGroups) {
      if (names.add(each.name())) {
        children.computeIfAbsent(each.parent(), _ -> new ArrayList<>()).add(each);
      }
    }
    return children;
  }

  /// The same under another key.
  public GroupSpec in(GroupKey group) {
    return new GroupSpec(
        group,
        uid,
        version,
        generation,
        created,
        queue,
        minMember,
        minSubGroup,
        subGroups,
        topology,
        priorityClass,
        preemptibility,
        patience,
        staleSince,
        run,
        completions,
        problems);
  }

  /// The same, with the minimum and the tree of another.
  public GroupSpec shapedLike(GroupSpec other) {
    return new GroupSpec(
        key,
        uid,
        version,
        generation,
        created,
        queue,
        other.minMember,
        other.minSubGroup,
        other.subGroups,
        topology.isNone() ? other.topology : topology,
        priorityClass,
        preemptibility,
        patience,
        staleSince,
        run,
        other.completions,
        other.problems.isEmpty() ? problems : other.problems);
  }

  /// Whether it is not stale though its minimum does not hold: members that it does without have
  /// ended well, or were moved and are to come back.
  public boolean isExcused() {
    return completions.isNone() && run.completed() > 0 || run.awaited() > 0;
  }

  /// From when any member runs until none does.
  ///
  /// @param since when it first had its minimum, which members that are made anew do not renew;
  ///   `EPOCH` = it has not yet, or does not run
  /// @param completed members that ended well in it, those that are gone included
  /// @param awaited members that were moved and in whose stead none is bound yet
  /// @param warned since when its status says that it ends soon; `EPOCH` = it does not; [#RECALLED]
  ///   = it did, and does not any more
  /// @param idle whether its GPUs do nothing, as the ledger has it
  /// @param notice since when its status says so
  public record Run(
      Instant since,
      int completed,
      int awaited,
      Instant warned,
      Idleness idle,
      Idleness.Notice notice) {
    /// The word of a status that a group was warned, and has more time by now.
    public static final Instant RECALLED = Instant.MAX;

    public static final Run NONE = new Run(Instant.EPOCH, 0, 0);

    /// Of one that is not warned of its end.
    public Run(Instant since, int completed, int awaited) {
      this(since, completed, awaited, Instant.EPOCH);
    }

    /// Of one that is not known to be idle.
    public Run(Instant since, int completed, int awaited, Instant warned) {
      this(since, completed, awaited, warned, Idleness.NONE, Idleness.Notice.NONE);
    }
  }

  /// Of a flat group of a workload that makes other pods in the stead of those that complete, until
  /// enough have: its minimum asks for members that run, and completed ones do not count towards
  /// it.
  ///
  /// @param left how many are still to complete; [#UNTIL_ONE_HAS] = no other pods are made once one
  ///   has completed
  /// @param told how many have completed, as its status tells
  /// @param coming how many members have completed of which its status does not tell yet, so that
  ///   others may still come in their stead
  public record Completions(int left, int told, int coming) {
    /// Completed members count.
    public static final Completions NONE = new Completions(-1, 0, 0);

    public static final int UNTIL_ONE_HAS = Integer.MAX_VALUE;

    public boolean isNone() {
      return left < 0;
    }

    /// Whether nothing is left to run.
    public boolean isDone() {
      return left == 0;
    }
  }

  /// @param parent empty = the group itself
  /// @param minMember of a leaf; of a leaf that says nothing 0
  /// @param minSubGroup of an inner node; 0 = all children
  public record SubGroup(
      String name, String parent, int minMember, int minSubGroup, TopologyAsk topology) {
    /// The same below another one.
    public SubGroup below(String other) {
      return new SubGroup(name, other, minMember, minSubGroup, topology);
    }

    /// The same with another minimum of its members.
    public SubGroup withMinimum(int minimum) {
      return minimum == minMember
          ? this
          : new SubGroup(name, parent, minimum, minSubGroup, topology);
    }
  }

  /// @param topology name of the Topology object; empty = none asked
  /// @param required level (label or alias) that all must share; empty = none
  /// @param preferred level that all should share; empty = none
  public record TopologyAsk(String topology, String required, String preferred) {
    public static final TopologyAsk NONE = new TopologyAsk("", "", "");

    public boolean isNone() {
      return topology.isEmpty();
    }
  }

  /// Zero = not said; a negative staleness grace = never stale.
  public record Patience(
      Duration preemptionDelay,
      Duration stalenessGrace,
      Duration expectedRuntime,
      Duration maxRuntime) {
    public static final Patience NONE =
        new Patience(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /// How long it may run below its minimum; negative = for ever.
    ///
    /// @param byDefault of groups that say nothing
    public Duration stalenessGraceOr(Duration byDefault) {
      return stalenessGrace.isZero() ? byDefault : stalenessGrace;
    }
  }
}
