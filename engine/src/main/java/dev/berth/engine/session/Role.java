package dev.berth.engine.session;

import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// A node of a group's tree: a leaf has members and a `minMember`, an inner node has children and a
/// `minSubGroup`.
///
/// It is satisfied when as many members (children that are satisfied) have their place as its
/// minimum says; completed members count, unless others come in their stead. These numbers are kept
/// up to date along the path to the root whenever a member moves, so that a tree of thousands of
/// leaves is not walked for each move.
public final class Role {
  /// So many children are kept in their order rather than sorted for each step.
  private static final int MANY = 16;

  private final String name;
  private final int minimum;
  private final TopologyAsk topology;
  private final Completions completions;
  private final List<Role> children = new ArrayList<>();
  private final List<MemberState> seats = new ArrayList<>();
  private int placed;
  private int waiting;
  private int completed; // that count
  private int cursor; // no earlier one waits

  private Optional<Role> parent = Optional.empty();
  private int allPlaced; // with the roles below
  private int allWaiting;
  private int satisfied; // children that are
  private int able; // children that can be satisfied
  private int rich; // children above their minimum
  private int met;
  private boolean isSatisfied;
  private boolean canBeSatisfied;
  private boolean isAboveMinimum;
  private int index; // among the children of its parent

  /// Children that have a next step, in their order; kept once it was asked for.
  private Optional<TreeSet<Role>> ready = Optional.empty();

  private static final Comparator<Role> ORDER =
      ((Comparator<Role>) Role::byNeed).thenComparingInt(role -> role.index);

  /// @param minimum of an inner node 0 = all children
  Role(String name, int minimum, TopologyAsk topology) {
    this(name, minimum, topology, Completions.NONE);
  }

  Role(String name, int minimum, TopologyAsk topology, Completions completions) {
    this.name = name;
    this.minimum = minimum;
    this.topology = topology;
    this.completions = completions;
    judge();
  }

  /// @param child of no other role yet
  void add(Role child) {
    if (child == this || child.parent.isPresent()) {
      throw new IllegalStateException("sub-group " + child.name + " has a place in the tree");
    }
    child.index = children.size();
    children.add(child);
    child.parent = Optional.of(this);
    satisfied += child.isSatisfied ? 1 : 0;
    able += child.canBeSatisfied ? 1 : 0;
    rich += child.isAboveMinimum ? 1 : 0;
    update(child.allPlaced, child.allWaiting);
  }

  void join(MemberState seat) {
    seats.add(seat);
    int isPlaced = seat.isPlaced() ? 1 : 0;
    int isWaiting = seat.isWaiting() ? 1 : 0;
    placed += isPlaced;
    waiting += isWaiting;
    completed += completions.isNone() && seat.was() == MemberState.Was.SUCCEEDED ? 1 : 0;
    update(isPlaced, isWaiting);
  }

  /// What follows from its members or children has changed, here and above.
  private void update(int morePlaced, int moreWaiting) {
    Role at = this;
    while (true) {
      var queue = at.parent.flatMap(above -> above.ready);
      if (queue.isPresent()) {
        queue.get().remove(at);
      }
      at.allPlaced += morePlaced;
      at.allWaiting += moreWaiting;
      int wasSatisfied = at.isSatisfied ? 1 : 0;
      int wasAble = at.canBeSatisfied ? 1 : 0;
      int wasRich = at.isAboveMinimum ? 1 : 0;
      at.judge();
      if (at.parent.isEmpty()) {
        return;
      }
      if (queue.isPresent() && at.isReady()) {
        queue.get().add(at);
      }
      Role above = at.parent.get();
      above.satisfied += (at.isSatisfied ? 1 : 0) - wasSatisfied;
      above.able += (at.canBeSatisfied ? 1 : 0) - wasAble;
      above.rich += (at.isAboveMinimum ? 1 : 0) - wasRich;
      at = above;
    }
  }

  private void judge() {
    int least = minimum();
    met = isLeaf() ? placed + completed : satisfied;
    isSatisfied = met >= least;
    canBeSatisfied = isLeaf() ? met + waiting >= least : able >= least;
    isAboveMinimum = met > least || rich > 0;
  }

  void moves(MemberState seat, boolean wasPlaced, boolean isPlaced) {
    int come = (isPlaced ? 1 : 0) - (wasPlaced ? 1 : 0);
    placed += come;
    waiting -= come;
    if (come < 0) {
      cursor = Math.min(cursor, seat.order());
    }
    update(come, -come);
  }

  /// Empty for the group itself.
  public String name() {
    return name;
  }

  public TopologyAsk topology() {
    return topology;
  }

  public boolean isLeaf() {
    return children.isEmpty();
  }

  public List<Role> children() {
    return Collections.unmodifiableList(children);
  }

  /// Members of a leaf, in their order.
  public List<MemberState> seats() {
    return Collections.unmodifiableList(seats);
  }

  /// How many members, or children, must start together.
  public int minimum() {
    return isLeaf() || minimum > 0 ? minimum : children.size();
  }

  /// Members of a leaf that have a place.
  public int placed() {
    return placed;
  }

  /// Members below this role that are to be placed.
  public int waiting() {
    return allWaiting;
  }

  /// Whether any member below this role has a place.
  public boolean isAnyPlaced() {
    return allPlaced > 0;
  }

  /// Completed members that count towards its minimum.
  int completed() {
    return completed;
  }

  /// How much of its minimum it has: members placed or completed, or children satisfied.
  public int met() {
    return met;
  }

  public boolean isSatisfied() {
    return isSatisfied;
  }

  /// The same with terminating members, and those that have completed before their workload says
  /// what comes in their stead: they still hold the minimum.
  boolean isHeld() {
    int held = completed + completions.coming();
    for (MemberState seat : seats) {
      boolean leaves = seat.was() == MemberState.Was.LEAVING || seat.was() == MemberState.Was.MOVED;
      held += seat.isPlaced() || leaves ? 1 : 0;
    }
    for (Role child : children) {
      held += child.isHeld() ? 1 : 0;
    }
    return held >= minimum();
  }

  /// Whether a member could go without any role falling below its minimum.
  public boolean isAboveMinimum() {
    return isAboveMinimum;
  }

  /// Whether it has pods enough to be satisfied.
  public boolean canBeSatisfied() {
    return canBeSatisfied;
  }

  /// The first leaf that has too few pods, where this role cannot be satisfied.
  Optional<Role> lacking() {
    if (canBeSatisfied()) {
      return Optional.empty();
    }
    for (Role child : children) {
      var lacking = child.lacking();
      if (lacking.isPresent()) {
        return lacking;
      }
    }
    return Optional.of(this);
  }

  /// What comes next: the members missing to the minimum, or one step above it. Empty where no
  /// member waits, or too few.
  public Optional<PlacementStep> next() {
    if (isLeaf()) {
      int lacks = minimum - placed - completed;
      int take = Math.max(1, lacks);
      return waiting < take
          ? Optional.empty()
          : Optional.of(PlacementStep.of(this, firstWaiting(take)));
    }
    return isSatisfied() ? oneMore() : missing();
  }

  /// Whether any member below this role runs.
  boolean runs() {
    boolean any = false;
    for (MemberState seat : seats) {
      any |= seat.runs();
    }
    for (Role child : children) {
      any |= child.runs();
    }
    return any;
  }

  /// Since when it runs with its minimum; below it, since the last of the running members began. A
  /// member without a start time begins now.
  Instant runsSince(Instant now) {
    var starts = new ArrayList<Instant>();
    for (MemberState seat : seats) {
      if (seat.runs()) {
        var started = seat.pod().life().started();
        starts.add(started.isBefore(now) ? started : now);
      }
    }
    for (Role child : children) {
      if (child.runs()) {
        starts.add(child.runsSince(now));
      }
    }
    starts.sort(null);
    int enough = Math.clamp(minimum() - completed, 1, Math.max(1, starts.size()));
    return starts.isEmpty() ? now : starts.get(enough - 1);
  }

  private Optional<PlacementStep> missing() {
    var parts = new ArrayList<PlacementStep>();
    int open = minimum();
    for (Role child : inOrder()) {
      if (open > 0 && child.canBeSatisfied()) {
        open--;
        if (!child.isSatisfied()) {
          child.next().ifPresent(parts::add);
        }
      }
    }
    return open > 0 || parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new PlacementStep(this, Collections.emptyList(), parts));
  }

  private boolean isReady() {
    return canBeSatisfied && allWaiting > 0;
  }

  private TreeSet<Role> ready() {
    var queue = new TreeSet<>(ORDER);
    for (Role child : children) {
      if (child.isReady()) {
        queue.add(child);
      }
    }
    return queue;
  }

  private Optional<PlacementStep> oneMore() {
    var queue = ready.orElseGet(this::ready);
    if (children.size() >= MANY) {
      ready = Optional.of(queue);
    }
    for (Role child : queue) {
      var step = child.next();
      if (step.isPresent()) {
        return Optional.of(
            new PlacementStep(
                this, Collections.emptyList(), Collections.singletonList(step.get())));
      }
    }
    return Optional.empty();
  }

  /// Children below their minimum first, then the lower running / minimum, those without a minimum
  /// last; otherwise as they are declared.
  private List<Role> inOrder() {
    var ordered = new ArrayList<>(children);
    ordered.sort(Role::byNeed);
    return ordered;
  }

  private static int byNeed(Role a, Role b) {
    boolean aAsks = a.minimum() > 0;
    boolean bAsks = b.minimum() > 0;
    if (!aAsks || !bAsks) {
      return Boolean.compare(bAsks, aAsks);
    }
    int byLack = Boolean.compare(a.isSatisfied(), b.isSatisfied());
    return byLack != 0
        ? byLack
        : Long.compare((long) a.met() * b.minimum(), (long) b.met() * a.minimum());
  }

  private List<MemberState> firstWaiting(int count) {
    var first = new ArrayList<MemberState>(count);
    while (!seats.get(cursor).isWaiting()) {
      cursor++;
    }
    for (int i = cursor; first.size() < count; i++) {
      if (seats.get(i).isWaiting()) {
        first.add(seats.get(i));
      }
    }
    return first;
  }

  /// All members below this role that have a place.
  public List<MemberState> standing() {
    var standing = new ArrayList<MemberState>();
    collectStanding(standing);
    return standing;
  }

  private void collectStanding(List<MemberState> into) {
    for (MemberState seat : seats) {
      if (seat.isPlaced()) {
        into.add(seat);
      }
    }
    for (Role child : children) {
      child.collectStanding(into);
    }
  }
}
