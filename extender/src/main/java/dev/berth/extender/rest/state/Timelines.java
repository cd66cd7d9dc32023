package dev.berth.extender.rest.state;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.state.Moment.What;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What became of workloads, bounded: the latest [#MOST_MOMENTS] of each of the [#MOST_WORKLOADS]
/// in which something happened last.
///
/// Plans and evictions have the moment of their decision; what pods did has the moment at which it
/// was looked at, a second late at most. The planning thread only appends to a list; all else is
/// done by the thread that looks.
public final class Timelines {
  static final int MOST_MOMENTS = 24;
  static final int MOST_WORKLOADS = 20_000;

  /// Decisions that nothing has looked at; then the oldest are dropped.
  private static final int MOST_UNREAD = 50_000;

  private final ArrayDeque<Decided> unread = new ArrayDeque<>(); // guarded by itself

  private record Decided(GroupKey group, Moment moment) {}

  // Guarded by this.
  private final Map<GroupKey, ArrayDeque<Moment>> byGroup =
      new LinkedHashMap<>(16, 0.75f, true); // least recently changed first
  private List<PodGroup> seen = List.of();
  private boolean hasSeen;

  /// A cycle has planned. Of the planning thread: O(decisions).
  public void planned(Plan plan) {
    if (plan.decisions().isEmpty()) {
      return;
    }
    synchronized (unread) {
      for (Decision each : plan.decisions()) {
        switch (each) {
          case Decision.Reserve reserve -> {
            int pods = reserve.block().size() + reserve.surplus().size();
            add(reserve.group(), new Moment(plan.at(), What.PLANNED, pods, ""));
          }
          case Decision.Withdraw(var group, var plans, _) ->
              add(group, new Moment(plan.at(), What.WITHDRAWN, plans.size(), ""));
          case Decision.Evict _, Decision.Wait _ -> {} // victims are seen when they leave
        }
      }
    }
  }

  private void add(GroupKey group, Moment moment) {
    unread.add(new Decided(group, moment));
    if (unread.size() > MOST_UNREAD) {
      unread.remove();
    }
  }

  /// A pod was evicted.
  ///
  /// @param cause `reclaim`
  public void evicted(GroupKey group, Instant at, String cause) {
    synchronized (unread) {
      add(group, new Moment(at, What.EVICTED, 1, cause));
    }
  }

  /// Compares with what was seen last. Where nothing was, only what is so is known, not since when.
  public synchronized void look(Snapshot snapshot) {
    decided();
    var before = seen;
    var after = snapshot.groups();
    var gone = new LinkedHashMap<GroupKey, PodGroup>();
    var come = new ArrayList<PodGroup>();
    ListChanges.between(
        before,
        after,
        PodGroup::key,
        i -> gone.put(before.get(i).key(), before.get(i)),
        j -> come.add(after.get(j)));
    for (PodGroup group : come) {
      happened(Optional.ofNullable(gone.remove(group.key())), group, snapshot.now());
    }
    gone.values()
        .forEach(group -> {
          int there = MemberCounts.of(group).total() - MemberCounts.of(group).ended();
          if (there > 0) {
            put(group.key(), new Moment(snapshot.now(), What.ENDED, there, ""));
          }
        });
    seen = after;
    hasSeen = true;
  }

  private void decided() {
    var those = new ArrayList<Decided>();
    synchronized (unread) {
      those.addAll(unread);
      unread.clear();
    }
    those.forEach(each -> put(each.group(), each.moment()));
  }

  private void happened(Optional<PodGroup> before, PodGroup after, Instant now) {
    if (before.isEmpty()) {
      put(after.key(), new Moment(after.created(), What.GATED, after.members().size(), ""));
      if (!hasSeen) {
        return; // it has come before this process looked
      }
    }
    var was = before.map(MemberCounts::of).orElse(MemberCounts.NONE);
    var is = MemberCounts.of(after);
    more(after.key(), now, What.BOUND, was.bound(), is.bound());
    more(after.key(), now, What.RUNNING, was.running(), is.running());
    more(after.key(), now, What.ENDED, was.ended(), is.ended());
  }

  private void more(GroupKey key, Instant now, What what, int was, int is) {
    if (is > was) {
      put(key, new Moment(now, what, is - was, ""));
    }
  }

  private void put(GroupKey key, Moment moment) {
    var moments = byGroup.computeIfAbsent(key, _ -> new ArrayDeque<>(4));
    var last = Optional.ofNullable(moments.peekLast());
    boolean continues =
        last.filter(one -> one.what() == moment.what() && one.cause().equals(moment.cause()))
            .filter(one -> moment.what() != What.GATED)
            .isPresent();
    if (continues) { // pods that follow each other are one moment, since the first of them
      var one = moments.removeLast();
      moments.add(new Moment(one.at(), one.what(), one.pods() + moment.pods(), one.cause()));
    } else {
      moments.add(moment);
    }
    if (moments.size() > MOST_MOMENTS) {
      moments.remove();
    }
    if (byGroup.size() > MOST_WORKLOADS) {
      byGroup.remove(byGroup.keySet().iterator().next());
    }
  }

  /// What became of a workload, the earliest first.
  public synchronized List<Moment> of(GroupKey key) {
    var moments = byGroup.get(key);
    if (moments == null) {
      return List.of();
    }
    return moments.stream().sorted((one, other) -> one.at().compareTo(other.at())).toList();
  }
}
