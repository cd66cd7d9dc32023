package dev.berth.engine.fairness;

import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import java.util.ArrayList;

/// The groups that wait in one leaf, first to last in [WorkloadOrder], in runs of those whose next
/// step asks for the same: thousands of equal pods are one run, and are passed over at once.
final class PendingRuns {
  private final ArrayList<Run> runs = new ArrayList<>(1);

  /// Successive groups. Never empty. Two runs in succession may ask for the same.
  private record Run(Charge step, ArrayList<Group> groups) {
    /// The first one, from `from` on, that does not come before `group`; their number if all do.
    int firstNotBefore(Group group, int from) {
      int low = from;
      int high = groups.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (WorkloadOrder.FIRST_TO_LAST.compare(groups.get(middle), group) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /// It is after all groups that precede it.
  ///
  /// @param step what its next step counts
  void add(Group group, Charge step) {
    int at = firstRunThatEndsNotBefore(group);
    boolean isInside = at < runs.size() && isBefore(runs.get(at).groups.getFirst(), group);
    if (isInside && runs.get(at).step.equals(step)) {
      var run = runs.get(at);
      run.groups.add(run.firstNotBefore(group, 0), group);
    } else if (isInside) {
      split(at, runs.get(at).firstNotBefore(group, 0));
      runs.add(at + 1, new Run(step, new ArrayList<>(1)));
      runs.get(at + 1).groups.add(group);
    } else if (at > 0 && runs.get(at - 1).step.equals(step)) {
      runs.get(at - 1).groups.add(group);
    } else if (at < runs.size() && runs.get(at).step.equals(step)) {
      runs.get(at).groups.addFirst(group);
    } else {
      runs.add(at, new Run(step, new ArrayList<>(1)));
      runs.get(at).groups.add(group);
    }
  }

  private int firstRunThatEndsNotBefore(Group group) {
    int low = 0;
    int high = runs.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(runs.get(middle).groups.getLast(), group)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void split(int at, int from) {
    var run = runs.get(at);
    var rest = run.groups.subList(from, run.groups.size());
    runs.add(at + 1, new Run(run.step, new ArrayList<>(rest)));
    rest.clear();
  }

  private static boolean isBefore(Group a, Group b) {
    return WorkloadOrder.FIRST_TO_LAST.compare(a, b) < 0;
  }

  /// Wherever it stands: its progress, and with it its place in the order, may be another by now.
  void remove(Group group) {
    for (int i = 0; i < runs.size(); i++) {
      var groups = runs.get(i).groups;
      if (groups.remove(group)) {
        if (groups.isEmpty()) {
          runs.remove(i);
        }
        return;
      }
    }
  }

  Walk walk() {
    return new Walk();
  }

  /// A walk from the first to the last. The line does not change meanwhile.
  final class Walk {
    private int run;
    private int at; // in the run

    boolean isAtEnd() {
      return run >= runs.size();
    }

    Group group() {
      return runs.get(run).groups.get(at);
    }

    Charge step() {
      return runs.get(run).step;
    }

    /// One on.
    void pass() {
      passTo(at + 1);
    }

    /// On over this one, which comes before `group`, and all that follow it without a break, ask
    /// for the same and come before `group`, too.
    void passAlike(Group group) {
      passTo(runs.get(run).firstNotBefore(group, at + 1));
    }

    /// On over this one and all that follow it without a break and ask for the same.
    void passAlike() {
      passTo(runs.get(run).groups.size());
    }

    private void passTo(int next) {
      at = next;
      if (at == runs.get(run).groups.size()) {
        run++;
        at = 0;
      }
    }
  }
}
