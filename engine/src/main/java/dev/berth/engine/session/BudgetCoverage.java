package dev.berth.engine.session;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.SelectorIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Which disruption budgets of one namespace cover which of its pods.
///
/// Pods that are the same in all labels that any of the budgets names are one [Kind], and a kind is
/// compared once, with the budgets that demand nothing of it or a label that it has. The result
/// stays while budgets cover the same pods.
final class BudgetCoverage {
  /// Budgets that are looked for to cover one pod: two come to the same.
  private static final int MOST = 16;

  private final Left tooMany;
  private List<DisruptionBudget> read = List.of();
  private final LinkedHashMap<DisruptionBudget.Key, Left> objects = new LinkedHashMap<>();
  private final HashMap<PodUid, Left> ofOnePod = new HashMap<>(); // looked up, or summed up
  private SelectorIndex<Left> index = new SelectorIndex<>();
  private final HashMap<List<String>, Kind> kinds = new HashMap<>(); // looked up only
  private final LinkedHashMap<MemberState, Kind> seats = new LinkedHashMap<>();
  private final LinkedHashSet<MemberState> fresh = new LinkedHashSet<>(); // not counted yet
  private boolean isAnew; // nor is any pod
  private boolean isBeyond;
  private long steps;
  private long compared;

  /// What is left of a budget.
  static final class Left {
    private DisruptionBudget budget;
    private int asked;
    private int victims;
    private int elsewhere; // spent by other sessions

    Left(DisruptionBudget budget) {
      this.budget = budget;
    }

    DisruptionBudget budget() {
      return budget;
    }

    boolean keepsOnePod() {
      return !budget.only().isNone();
    }

    /// Whether it is not known which pods it covers.
    boolean isNotRead() {
      return budget.isTooLong() || budget.key().name().isEmpty();
    }

    int spent() {
      return asked + victims;
    }

    /// Beside the victims of this session.
    int left() {
      return budget.allowed() - asked - elsewhere;
    }

    int victims() {
      return victims;
    }

    boolean holds() {
      return victims <= Math.max(0, left());
    }

    void ask(int by) {
      asked += by;
    }

    void lose(int by) {
      victims += by;
    }

    void spendElsewhere(int count) {
      elsewhere = count;
    }
  }

  /// Pods that no budget tells apart.
  private static final class Kind {
    private final List<String> told;
    private final Pod sample; // one of them
    private final long steps;
    private int seats;
    private boolean isKnown;
    private List<Left> covering = Collections.emptyList();

    Kind(List<String> told, Pod sample, long steps) {
      this.told = told;
      this.sample = sample;
      this.steps = steps;
    }
  }

  BudgetCoverage(String namespace) {
    tooMany = new Left(DisruptionBudget.tooMany(namespace));
  }

  /// What it costs at most to compare all pods that are here.
  long steps() {
    return steps;
  }

  /// What was compared since it was made.
  long compared() {
    return compared;
  }

  boolean hasObjects() {
    return !objects.isEmpty();
  }

  /// Of the objects and of single pods.
  Collection<Left> all() {
    var all = new ArrayList<>(objects.values());
    all.addAll(ofOnePod.values());
    return all;
  }

  Set<MemberState> seats() {
    return seats.keySet();
  }

  // Budgets

  /// @param budgets of the namespace, by key
  /// @return whether any is another than before
  boolean become(List<DisruptionBudget> budgets) {
    if (areThoseRead(budgets)) {
      return false;
    }
    var before = read;
    read = List.copyOf(budgets);
    if (!coverTheSame(before)) {
      listAnew();
      return true;
    }
    for (DisruptionBudget budget : read) {
      var left = budget.only().isNone() ? objects.get(budget.key()) : ofOnePod.get(budget.only());
      if (left != null) {
        left.budget = budget;
      }
    }
    return true;
  }

  private boolean areThoseRead(List<DisruptionBudget> budgets) {
    boolean same = budgets.size() == read.size();
    for (int i = 0; same && i < read.size(); i++) {
      same = budgets.get(i) == read.get(i);
    }
    return same;
  }

  private boolean coverTheSame(List<DisruptionBudget> before) {
    boolean same = before.size() == read.size();
    for (int i = 0; same && i < read.size(); i++) {
      same = before.get(i) == read.get(i) || before.get(i).coversAs(read.get(i));
    }
    return same;
  }

  private void listAnew() {
    objects.clear();
    ofOnePod.clear();
    kinds.clear();
    index = new SelectorIndex<>();
    steps = 0;
    for (DisruptionBudget budget : read) {
      var left = new Left(budget);
      if (left.keepsOnePod()) {
        ofOnePod.put(budget.only(), left);
      } else {
        objects.put(budget.key(), left);
        if (!budget.coversNoPod()) {
          index.add(left, budget.selector());
        }
      }
    }
    seats.replaceAll((seat, _) -> kindOf(seat));
    isAnew = true;
  }

  // Pods

  void enter(MemberState seat) {
    if (!seats.containsKey(seat)) {
      seats.put(seat, kindOf(seat));
      fresh.add(seat);
    }
  }

  private Kind kindOf(MemberState seat) {
    var pod = seat.pod();
    var labels = pod.traits().labels();
    var kind =
        kinds.computeIfAbsent(index.told(labels), told -> new Kind(told, pod, index.steps(labels)));
    if (kind.seats++ == 0) {
      steps += kind.steps;
    }
    return kind;
  }

  /// @return whether it was here
  boolean leave(MemberState seat) {
    var kind = seats.remove(seat);
    fresh.remove(seat);
    if (kind != null && --kind.seats == 0) {
      kinds.remove(kind.told);
      steps -= kind.steps;
    }
    return kind != null;
  }

  /// The pods for which it is to be found anew which budgets cover them.
  ///
  /// @param beyond whether the namespace would cost more than its part
  List<MemberState> toCount(boolean beyond) {
    boolean all = isAnew || beyond != isBeyond;
    isBeyond = beyond;
    isAnew = false;
    if (all) {
      objects.values().forEach(each -> each.asked = 0);
      ofOnePod.values().forEach(each -> each.asked = 0);
      tooMany.asked = 0;
    }
    var seats = List.copyOf(all ? this.seats.keySet() : fresh);
    fresh.clear();
    return seats;
  }

  /// What covers a pod that is here, several that are objects told as such.
  List<Left> covering(MemberState seat, boolean asked) {
    var kind = seats.get(seat);
    var objects = kind == null ? List.<Left>of() : covering(kind);
    var own = ofOnePod.get(seat.pod().uid());
    boolean several = objects.size() > 1 && !asked;
    if (own == null && !several) {
      return objects;
    }
    var all = new ArrayList<>(objects);
    if (own != null) {
      all.add(own);
    }
    if (several) {
      all.add(new Left(DisruptionBudget.several(seat.pod())));
    }
    return all;
  }

  private List<Left> covering(Kind kind) {
    if (kind.steps == 0) {
      return List.of();
    }
    if (isBeyond) {
      return List.of(tooMany);
    }
    if (!kind.isKnown) {
      kind.isKnown = true;
      compared += kind.steps;
      var found = new ArrayList<Left>(1);
      index.search(kind.sample.traits().labels(), each -> found.add(each) && found.size() < MOST);
      kind.covering = List.copyOf(found);
    }
    return kind.covering;
  }
}
