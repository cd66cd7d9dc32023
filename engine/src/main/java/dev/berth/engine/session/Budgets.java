package dev.berth.engine.session;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Who may not leave: how much of each disruption budget is left.
///
/// What the budgets say counts pods that have a deletion timestamp. Those who are asked to leave
/// and have none yet are counted here, and so are victims of this session. Costs nothing in
/// namespaces without budgets.
///
/// Sessions over parts of one cluster, planned one after the other, tell each other what they
/// spend.
public final class Budgets {
  private final TreeMap<String, List<Left>> byNamespace = new TreeMap<>();
  private final HashMap<Seat, List<Left>> bySeat = new HashMap<>(); // looked up only

  /// Stands for several budgets that cover one pod: the Eviction API then refuses whatever they
  /// allow.
  private final TreeMap<PodUid, Left> several = new TreeMap<>();

  private final HashSet<Seat> against = new HashSet<>(); // looked up only
  private boolean overruled;

  /// A budget and what is left of it.
  private static final class Left {
    private final DisruptionBudget budget;
    private int asked;
    private int victims;
    private int elsewhere; // spent by other sessions

    Left(DisruptionBudget budget) {
      this.budget = budget;
    }

    boolean keepsOnePod() {
      return !budget.only().isNone();
    }

    int spent() {
      return asked + victims;
    }

    /// Beside the victims of this session.
    int left() {
      return budget.allowed() - asked - elsewhere;
    }
  }

  Budgets(List<DisruptionBudget> budgets) {
    for (DisruptionBudget budget : budgets) {
      byNamespace
          .computeIfAbsent(budget.key().namespace(), _ -> new ArrayList<>())
          .add(new Left(budget));
    }
  }

  /// A member that may be asked to leave, or is asked already.
  void add(Seat seat) {
    boolean asked =
        seat.member().standing() instanceof Standing.Leaving && !seat.pod().life().leaving();
    if (byNamespace.isEmpty() || !asked && seat.was() != Seat.Was.BOUND) {
      return;
    }
    var covering = new ArrayList<Left>();
    for (Left left : byNamespace.getOrDefault(seat.pod().key().namespace(), List.of())) {
      if (left.budget.covers(seat.pod())) {
        covering.add(left);
        left.asked += asked ? 1 : 0;
      }
    }
    long objects = covering.stream().filter(left -> !left.keepsOnePod()).count();
    if (objects > 1 && !asked) {
      var nobody = new Left(DisruptionBudget.several(seat.pod()));
      several.put(seat.pod().uid(), nobody);
      covering.add(nobody);
    }
    if (!covering.isEmpty()) {
      bySeat.put(seat, covering);
    }
  }

  /// It is looked at no more; it is no victim.
  void remove(Seat seat) {
    var covering = bySeat.remove(seat);
    several.remove(seat.pod().uid());
    if (covering != null && seat.was() != Seat.Was.BOUND) {
      covering.forEach(each -> each.asked--);
    }
  }

  void moved(Seat seat, boolean wasVictim) {
    if (bySeat.isEmpty() || wasVictim == seat.isVictim()) {
      return;
    }
    boolean goesAgainst = against.contains(seat) || overruled && against.add(seat);
    for (Left left : bySeat.getOrDefault(seat, List.of())) {
      if (!goesAgainst || left.keepsOnePod()) {
        left.victims += wasVictim ? -1 : 1;
      }
    }
  }

  /// Whether anybody is covered by a budget that may be overruled.
  public boolean cover() {
    for (List<Left> budgets : byNamespace.values()) {
      for (Left each : budgets) {
        if (!each.keepsOnePod()) {
          return true;
        }
      }
    }
    return false;
  }

  /// As long as this is open, budgets keep nobody who becomes a victim. (Whom the API server did
  /// not let go, whatever budgets say, is kept still.)
  public Overruling overrule() {
    if (overruled) {
      throw new IllegalStateException("budgets are overruled already");
    }
    overruled = true;
    return () -> {
      overruled = false;
      against.removeIf(seat -> !seat.isVictim()); // of trials that were undone
    };
  }

  /// Budgets keep nobody.
  public interface Overruling extends AutoCloseable {
    @Override
    void close();
  }

  /// Whether a victim leaves though a budget keeps it.
  public boolean isAgainst(Seat seat) {
    return against.contains(seat);
  }

  /// Whether all victims of the session may leave.
  public boolean hold() {
    for (List<Left> budgets : byNamespace.values()) {
      for (Left each : budgets) {
        if (each.victims > Math.max(0, each.left())) {
          return false;
        }
      }
    }
    for (Left each : several.values()) {
      if (each.victims > 0) {
        return false;
      }
    }
    return true;
  }

  /// Adds what this session spends to what all do.
  public void addTo(SortedMap<DisruptionBudget.Key, Integer> spent) {
    for (List<Left> budgets : byNamespace.values()) {
      for (Left each : budgets) {
        if (each.spent() > 0) {
          spent.merge(each.budget.key(), each.spent(), Integer::sum);
        }
      }
    }
  }

  /// Takes it out again: the rest is spent elsewhere, and is gone for this session.
  public void takeFrom(SortedMap<DisruptionBudget.Key, Integer> spent) {
    for (List<Left> budgets : byNamespace.values()) {
      for (Left each : budgets) {
        each.elsewhere = spent.getOrDefault(each.budget.key(), 0) - each.spent();
        spent.computeIfPresent(each.budget.key(), (_, _) -> each.elsewhere);
      }
    }
  }

  /// The budgets that keep some of these, beside the victims of the session; empty = they may
  /// leave. Those that stand for what the API server said of one pod are not named.
  public Optional<SortedSet<DisruptionBudget.Key>> keeping(List<Seat> seats) {
    if (leavers().add(seats)) {
      return Optional.empty();
    }
    var keeping = new TreeSet<DisruptionBudget.Key>();
    for (Seat seat : seats) {
      for (Left left : bySeat.getOrDefault(seat, List.of())) {
        if (!left.keepsOnePod() && left.victims + seats.size() > left.left()) {
          keeping.add(left.budget.key());
        }
      }
    }
    return Optional.of(keeping);
  }

  /// Nobody yet, beside the victims of the session.
  public Leavers leavers() {
    return new Leavers();
  }

  /// Those who would leave together, step after step, beside the victims of the session.
  public final class Leavers {
    private final HashMap<Left, Integer> asked = new HashMap<>(); // looked up only

    private Leavers() {}

    /// Adds these, if all of them may leave as well.
    ///
    /// @return whether they may
    public boolean add(List<Seat> seats) {
      if (bySeat.isEmpty()) {
        return true;
      }
      var more = new HashMap<Left, Integer>(); // looked up only
      for (Seat seat : seats) {
        for (Left left : bySeat.getOrDefault(seat, List.of())) {
          if (overruled && !left.keepsOnePod()) {
            continue;
          }
          int count = asked.getOrDefault(left, 0) + more.merge(left, 1, Integer::sum);
          if (left.victims + count > left.left()) {
            return false;
          }
        }
      }
      more.forEach((left, count) -> asked.merge(left, count, Integer::sum));
      return true;
    }
  }
}
