package dev.berth.engine.session;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.BudgetCoverage.Left;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Which pods may not leave: how much of each disruption budget is left.
///
/// The status of a budget counts pods that have a deletion timestamp. Pods that are asked to leave
/// and have none yet are counted here, and so are victims of this session. Costs nothing in
/// namespaces without budgets.
///
/// The comparisons that find out which budgets cover which pods are bounded, and namespaces share
/// that bound: each gets an equal part, and what others leave of theirs. In a namespace that would
/// cost more, all pods that its budgets might cover stay.
///
/// Sessions over parts of one cluster, planned one after the other, tell each other what they
/// spend.
public final class Budgets {
  /// Labels and values of budgets that are compared with those of pods, for one snapshot.
  public static final long MOST_STEPS = 1_000_000;

  private final TreeMap<String, BudgetCoverage> byNamespace = new TreeMap<>();
  private final TreeSet<String> unsettled = new TreeSet<>();
  private final HashMap<MemberState, List<Left>> bySeat = new HashMap<>(); // looked up only
  private final HashSet<Left> lost = new HashSet<>(); // have victims; all or none
  private final HashSet<MemberState> against = new HashSet<>(); // looked up only
  private boolean overruled;
  private boolean isAnyBeyond;

  Budgets() {}

  // From one snapshot to the next

  /// Goes on with later budgets. Pods that the others cover stay as they were found.
  ///
  /// @param budgets all of them, by key
  /// @return namespaces that had none before: no pod there has been added
  Set<String> become(List<DisruptionBudget> budgets) {
    var later = new TreeMap<String, List<DisruptionBudget>>();
    for (DisruptionBudget budget : budgets) {
      later.computeIfAbsent(budget.key().namespace(), _ -> new ArrayList<>()).add(budget);
    }
    byNamespace.forEach((namespace, covered) -> {
      if (!later.containsKey(namespace)) {
        covered.seats().forEach(bySeat::remove);
      }
    });
    byNamespace.keySet().retainAll(later.keySet());
    unsettled.retainAll(later.keySet());
    var begun = new TreeSet<String>();
    later.forEach((namespace, theirs) -> {
      var covered = byNamespace.get(namespace);
      if (covered == null) {
        covered = new BudgetCoverage(namespace);
        byNamespace.put(namespace, covered);
        begun.add(namespace);
      }
      if (covered.become(theirs)) {
        unsettled.add(namespace);
      }
    });
    return begun;
  }

  /// A member that may be asked to leave, or is asked already. Counts once it is [#settle]d.
  void add(MemberState seat) {
    if (byNamespace.isEmpty() || !isAsked(seat) && seat.was() != MemberState.Was.BOUND) {
      return;
    }
    String namespace = seat.pod().key().namespace();
    var covered = byNamespace.get(namespace);
    if (covered != null) {
      covered.enter(seat);
      unsettled.add(namespace);
    }
  }

  private static boolean isAsked(MemberState seat) {
    return seat.member().standing() instanceof Standing.Leaving && !seat.pod().life().leaving();
  }

  /// It is looked at no more; it is no victim.
  void remove(MemberState seat) {
    String namespace = seat.pod().key().namespace();
    var covered = byNamespace.get(namespace);
    if (covered == null || !covered.leave(seat)) {
      return;
    }
    unsettled.add(namespace);
    var covering = bySeat.remove(seat);
    if (covering != null && isAsked(seat)) {
      covering.forEach(each -> each.ask(-1));
    }
  }

  /// Every pod is added, and none is a victim.
  void settle() {
    if (unsettled.isEmpty()) {
      return;
    }
    long most =
        NamespaceShares.part(
            MOST_STEPS, byNamespace.values().stream().map(BudgetCoverage::steps).toList());
    boolean isAny = most < Long.MAX_VALUE;
    for (String namespace : isAny || isAnyBeyond ? List.copyOf(byNamespace.keySet()) : unsettled) {
      var covered = byNamespace.get(namespace);
      if (covered != null) {
        covered.toCount(covered.steps() > most).forEach(seat -> count(covered, seat));
      }
    }
    isAnyBeyond = isAny;
    unsettled.clear();
  }

  private void count(BudgetCoverage covered, MemberState seat) {
    boolean asked = isAsked(seat);
    var covering = covered.covering(seat, asked);
    if (covering.isEmpty()) {
      bySeat.remove(seat);
      return;
    }
    bySeat.put(seat, covering);
    if (asked) {
      covering.forEach(each -> each.ask(1));
    }
  }

  /// Back to the snapshot: no pod is a victim.
  void rewind() {
    against.clear();
  }

  /// How much was compared so far, as far as namespaces still have budgets.
  public long compared() {
    return byNamespace.values().stream().mapToLong(BudgetCoverage::compared).sum();
  }

  void moved(MemberState seat, boolean wasVictim) {
    if (bySeat.isEmpty() || wasVictim == seat.isVictim()) {
      return;
    }
    boolean goesAgainst = against.contains(seat) || overruled && against.add(seat);
    for (Left each : bySeat.getOrDefault(seat, List.of())) {
      if (!goesAgainst || each.keepsOnePod()) {
        each.lose(wasVictim ? -1 : 1);
        if (each.victims() == 0) {
          lost.remove(each);
        } else {
          lost.add(each);
        }
      }
    }
  }

  /// Whether any pod is covered by a budget that may be overruled.
  public boolean cover() {
    return byNamespace.values().stream().anyMatch(BudgetCoverage::hasObjects);
  }

  /// As long as this is open, budgets protect no victim. (A pod whose eviction the API server
  /// refused is protected still.)
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

  /// Budgets protect no pod.
  public interface Overruling extends AutoCloseable {
    @Override
    void close();
  }

  /// Whether a victim leaves though a budget keeps it.
  public boolean isAgainst(MemberState seat) {
    return against.contains(seat);
  }

  /// Whether all victims of the session may leave.
  public boolean hold() {
    for (Left each : lost) {
      if (!each.holds()) {
        return false;
      }
    }
    return true;
  }

  /// Adds what this session spends to what all do.
  public void addTo(SortedMap<DisruptionBudget.Key, Integer> spent) {
    for (BudgetCoverage covered : byNamespace.values()) {
      for (Left each : covered.all()) {
        if (each.spent() > 0) {
          spent.merge(each.budget().key(), each.spent(), Integer::sum);
        }
      }
    }
  }

  /// Takes it out again: the rest is spent elsewhere, and is gone for this session.
  public void takeFrom(SortedMap<DisruptionBudget.Key, Integer> spent) {
    for (BudgetCoverage covered : byNamespace.values()) {
      for (Left each : covered.all()) {
        int elsewhere = spent.getOrDefault(each.budget().key(), 0) - each.spent();
        each.spendElsewhere(elsewhere);
        spent.computeIfPresent(each.budget().key(), (_, _) -> elsewhere);
      }
    }
  }

  /// The budgets that keep some of these, beside the victims of the session; empty = they may
  /// leave. Those that stand for what the API server said of one pod are not named.
  public Optional<Keeping> keeping(List<MemberState> seats) {
    return leavers().add(seats)
        ? Optional.empty()
        : Optional.of(named(seats, each -> each.victims() + seats.size() > each.left()));
  }

  public boolean areOverruled() {
    return overruled;
  }

  /// Whether they cover any pod.
  public boolean coverAnyPod() {
    return !bySeat.isEmpty();
  }

  /// The budgets that cover some of these, named likewise.
  public Keeping covering(List<MemberState> seats) {
    return named(seats, _ -> true);
  }

  private Keeping named(List<MemberState> seats, Predicate<Left> which) {
    var budgets = new TreeSet<DisruptionBudget.Key>();
    var notRead = new TreeSet<DisruptionBudget.Key>();
    for (MemberState seat : seats) {
      for (Left each : bySeat.getOrDefault(seat, List.of())) {
        if (!each.keepsOnePod() && which.test(each)) {
          (each.isNotRead() ? notRead : budgets).add(each.budget().key());
        }
      }
    }
    return new Keeping(budgets, notRead);
  }

  /// Budgets that protect a pod.
  ///
  /// @param notRead budgets of which Berth does not know which pods they cover; without a name =
  ///   those of a namespace
  public record Keeping(
      SortedSet<DisruptionBudget.Key> budgets, SortedSet<DisruptionBudget.Key> notRead) {}

  /// No pod yet, beside the victims of the session.
  public Bound bound() {
    return new Bound();
  }

  /// How many of the added pods may leave together at most.
  public final class Bound {
    private final HashSet<Left> covering = new HashSet<>(); // looked up only
    private long most;

    private Bound() {}

    public void add(List<MemberState> seats) {
      for (MemberState seat : seats) {
        for (Left each : bySeat.getOrDefault(seat, List.of())) {
          if (covering.add(each)) {
            most += Math.max(0, each.left() - each.victims());
          }
        }
      }
    }

    public long most() {
      return most;
    }
  }

  /// Whether a budget that is not overruled covers some of these.
  public boolean cover(List<MemberState> seats) {
    return seats.stream()
        .flatMap(seat -> bySeat.getOrDefault(seat, List.of()).stream())
        .anyMatch(each -> !overruled || each.keepsOnePod());
  }

  /// No pod yet, beside the victims of the session.
  public Leavers leavers() {
    return new Leavers();
  }

  /// The pods that would leave together, step after step, beside the victims of the session.
  public final class Leavers {
    private final HashMap<Left, Integer> asked = new HashMap<>(); // looked up only

    private Leavers() {}

    /// Adds these, if all of them may leave as well.
    ///
    /// @return whether they may
    public boolean add(List<MemberState> seats) {
      if (bySeat.isEmpty()) {
        return true;
      }
      var more = new HashMap<Left, Integer>(); // looked up only
      for (MemberState seat : seats) {
        for (Left each : bySeat.getOrDefault(seat, List.of())) {
          if (overruled && !each.keepsOnePod()) {
            continue;
          }
          int count = asked.getOrDefault(each, 0) + more.merge(each, 1, Integer::sum);
          if (each.victims() + count > each.left()) {
            return false;
          }
        }
      }
      more.forEach((each, count) -> asked.merge(each, count, Integer::sum));
      return true;
    }
  }
}
