package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The groups that wait in one leaf queue.
sealed interface LeafQueue {
  /// The first group.
  Optional<Group> first();

  /// What the next step of the first one counts.
  Charge step();

  /// Takes the first one out.
  ///
  /// @param alike with it all that follow it, ask for the same and do not count: they would have
  ///   their turn next, as the queue came first by this step
  /// @return whether it counts for anything: the others only had their turn
  boolean remove(boolean alike);

  void add(Group group);

  /// Every group counts.
  final class All implements LeafQueue {
    private static final Comparator<Group> LAST_TO_FIRST = WorkloadOrder.FIRST_TO_LAST.reversed();

    private final ArrayList<Group> groups = new ArrayList<>(0); // once asked: last to first
    private final Charge nothing;
    private final Function<Group, Optional<PlacementStep>> steps;
    private boolean inOrder;

    All(Charge nothing, Function<Group, Optional<PlacementStep>> steps) {
      this.nothing = nothing;
      this.steps = steps;
    }

    @Override
    public Optional<Group> first() {
      if (groups.isEmpty()) {
        return Optional.empty();
      }
      if (!inOrder) {
        groups.sort(LAST_TO_FIRST);
        inOrder = true;
      }
      return Optional.of(groups.getLast());
    }

    @Override
    public Charge step() {
      return first().flatMap(steps).map(next -> next.asked()).orElse(nothing);
    }

    @Override
    public boolean remove(boolean alike) {
      var _ = first();
      groups.removeLast();
      return true;
    }

    @Override
    public void add(Group group) {
      int at = inOrder ? Collections.binarySearch(groups, group, LAST_TO_FIRST) : groups.size();
      groups.add(at < 0 ? -1 - at : at, group);
    }
  }

  /// A few count; the others have their turn before or after them as ever, and nothing comes of it.
  final class Few implements LeafQueue {
    private final All few;
    private final PendingRuns.Walk others;
    private final Set<Group> counting;

    /// @param counting by identity
    Few(
        PendingRuns line,
        Set<Group> counting,
        Charge nothing,
        Function<Group, Optional<PlacementStep>> steps) {
      this.few = new All(nothing, steps);
      this.others = line.walk();
      this.counting = counting;
      skip();
    }

    private void skip() {
      while (!others.isAtEnd() && counting.contains(others.group())) {
        others.pass();
      }
    }

    private boolean isOtherFirst() {
      if (others.isAtEnd()) {
        return false;
      }
      var mine = few.first();
      return mine.isEmpty() || WorkloadOrder.FIRST_TO_LAST.compare(others.group(), mine.get()) < 0;
    }

    @Override
    public Optional<Group> first() {
      return isOtherFirst() ? Optional.of(others.group()) : few.first();
    }

    @Override
    public Charge step() {
      return isOtherFirst() ? others.step() : few.step();
    }

    @Override
    public boolean remove(boolean alike) {
      if (!isOtherFirst()) {
        return few.remove(alike);
      }
      if (alike) {
        passAlike();
      } else {
        others.pass();
        skip();
      }
      return false;
    }

    private void passAlike() {
      var step = others.step();
      do {
        few.first().ifPresentOrElse(others::passAlike, others::passAlike);
        skip();
      } while (isOtherFirst() && others.step().equals(step));
    }

    @Override
    public void add(Group group) {
      few.add(group);
    }
  }
}
