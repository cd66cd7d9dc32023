package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/// Who waits in one leaf queue.
sealed interface Stand {
  /// Who comes first.
  Optional<Group> first();

  /// What the next step of the first one counts.
  Charge step();

  /// Takes the first one out.
  ///
  /// @return whether it counts for anything: the others only had their turn
  boolean remove();

  void add(Group group);

  /// Everybody counts.
  final class All implements Stand {
    private final PriorityQueue<Group> groups = new PriorityQueue<>(WorkloadOrder.FIRST_TO_LAST);
    private final Charge nothing;

    All(Charge nothing) {
      this.nothing = nothing;
    }

    @Override
    public Optional<Group> first() {
      return Optional.ofNullable(groups.peek());
    }

    @Override
    public Charge step() {
      return first().flatMap(Group::next).map(next -> next.asked()).orElse(nothing);
    }

    @Override
    public boolean remove() {
      groups.remove();
      return true;
    }

    @Override
    public void add(Group group) {
      groups.add(group);
    }
  }

  /// A few count; the others have their turn before or after them as ever, and nothing comes of it.
  final class Few implements Stand {
    private final All few;
    private final List<LineUp.Place> others;
    private final Set<Group> counting;
    private int at;

    /// @param counting by identity
    Few(List<LineUp.Place> others, Set<Group> counting, Charge nothing) {
      this.few = new All(nothing);
      this.others = others;
      this.counting = counting;
      skip();
    }

    private void skip() {
      while (at < others.size() && counting.contains(others.get(at).group())) {
        at++;
      }
    }

    private boolean isOtherFirst() {
      if (at >= others.size()) {
        return false;
      }
      var mine = few.first();
      return mine.isEmpty()
          || WorkloadOrder.FIRST_TO_LAST.compare(others.get(at).group(), mine.get()) < 0;
    }

    @Override
    public Optional<Group> first() {
      return isOtherFirst() ? Optional.of(others.get(at).group()) : few.first();
    }

    @Override
    public Charge step() {
      return isOtherFirst() ? others.get(at).step() : few.step();
    }

    /// Of those who do not count, all that ask for the same have their turn at once.
    @Override
    public boolean remove() {
      if (!isOtherFirst()) {
        return few.remove();
      }
      var step = others.get(at).step();
      do {
        at++;
        skip();
      } while (isOtherFirst() && others.get(at).step().equals(step));
      return false;
    }

    @Override
    public void add(Group group) {
      few.add(group);
    }
  }
}
