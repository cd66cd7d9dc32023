package dev.berth.engine.session;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;

/// The tree of queues and what each has allocated, by dense number: queues in name order, and the
/// resources that queues count (`gpu`, `cpu`, `memory`, and what any queue names and any node has).
public final class QueueTree {
  /// No queue: a cluster without Queue objects has no limits.
  public static final int NONE = -1;

  private static final int REMEMBERED = 1024;

  private final List<Queue> queues;
  private final CountedResources counted;
  private final int[][] chain; // the queue itself, then its ancestors to the root
  private final int[][] children; // of each queue, in name order
  private final int[] roots;
  private final QueueName[] brokenAt;
  private final boolean[] cyclic;
  private final long[][] limit;
  private final long[][] quota;
  private final boolean[][] named; // whether the queue says anything on the resource
  private final double[][] weight;
  private final long[][] allocated;
  private final long[][] nonPreemptible;
  private final long[][] pending;
  private final int[] changed = new int[REMEMBERED]; // the leaves of the last versions
  private long version;
  private boolean isExact = true;

  /// @param hardware what nodes have: no queue counts anything else
  QueueTree(List<Queue> queues, Hardware hardware) {
    this.queues = queues;
    int size = queues.size();
    counted = new CountedResources(queues, hardware);
    chain = new int[size][];
    children = new int[size][0];
    brokenAt = new QueueName[size];
    cyclic = new boolean[size];
    limit = new long[size][counted.size()];
    quota = new long[size][counted.size()];
    named = new boolean[size][counted.size()];
    allocated = new long[size][counted.size()];
    nonPreemptible = new long[size][counted.size()];
    pending = new long[size][counted.size()];
    weight = new double[size][counted.size()];
    for (int q = 0; q < size; q++) {
      wire(q);
      read(q);
    }
    roots = grow();
  }

  private void wire(int q) {
    var ancestors = new int[queues.size()];
    int length = 0;
    brokenAt[q] = QueueName.NONE;
    for (int at = q; at != NONE; ) {
      for (int i = 0; i < length; i++) {
        if (ancestors[i] == at) {
          brokenAt[q] = queues.get(at).name();
          cyclic[q] = true;
        }
      }
      if (cyclic[q]) {
        break;
      }
      ancestors[length++] = at;
      var parent = queues.get(at).parent();
      at = parent.isNone() ? NONE : find(parent);
      if (at == NONE && !parent.isNone()) {
        brokenAt[q] = parent;
      }
    }
    chain[q] = Arrays.copyOf(ancestors, length);
  }

  /// Gives each queue its children.
  ///
  /// @return those below the root
  private int[] grow() {
    var count = new int[queues.size()];
    int top = 0;
    for (int[] path : chain) {
      if (path.length > 1) {
        count[path[1]]++;
      }
      top += isRoot(path) ? 1 : 0;
    }
    for (int q = 0; q < count.length; q++) {
      children[q] = new int[count[q]];
      count[q] = 0;
    }
    var below = new int[top];
    top = 0;
    for (int q = 0; q < count.length; q++) {
      if (chain[q].length > 1) {
        int parent = chain[q][1];
        children[parent][count[parent]++] = q;
      } else if (isRoot(chain[q])) {
        below[top++] = q;
      }
    }
    return below;
  }

  private boolean isRoot(int[] path) {
    return path.length == 1 && queues.get(path[0]).parent().isNone();
  }

  private void read(int q) {
    var queue = queues.get(q);
    for (int r = 0; r < counted.size(); r++) {
      var resource = counted.name(r);
      limit[q][r] = queue.limitOf(resource);
      quota[q][r] = queue.quota().of(resource);
      weight[q][r] = queue.weightOf(resource);
      boolean isZero = queue.zeroQuota().contains(resource);
      named[q][r] = quota[q][r] != 0 || isZero || counted.isBasic(r);
    }
  }

  // ---- the tree

  public int size() {
    return queues.size();
  }

  public Queue queue(int q) {
    return queues.get(q);
  }

  /// The number of a queue; [#NONE] where none is called so.
  public int find(QueueName name) {
    int low = 0;
    int high = queues.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = queues.get(middle).name().compareTo(name);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return NONE;
  }

  /// The queue of that name; empty where none is called so.
  public Optional<Queue> named(QueueName name) {
    int q = find(name);
    return q == NONE ? Optional.empty() : Optional.of(queues.get(q));
  }

  /// The queue itself and its ancestors, up to the root. Not to be changed.
  public int[] chain(int q) {
    return q == NONE ? new int[0] : chain[q];
  }

  /// The queues below the root, in name order; broken ones are not among them. Not to be changed.
  public int[] roots() {
    return roots;
  }

  /// Queues that name this one as their parent, in name order. Not to be changed.
  public int[] children(int q) {
    return children[q];
  }

  /// Whether no path leads from it to the root: a parent is missing, or one is its own ancestor.
  boolean isBroken(int q) {
    return !brokenAt[q].isNone();
  }

  /// Where the path from a broken queue ends: the name of the missing parent, or of a queue that is
  /// its own ancestor.
  QueueName brokenAt(int q) {
    return brokenAt[q];
  }

  boolean isCyclic(int q) {
    return cyclic[q];
  }

  // ---- what is counted

  CountedResources counted() {
    return counted;
  }

  /// How many resources queues count.
  public int width() {
    return counted.size();
  }

  public Resource resource(int r) {
    return counted.name(r);
  }

  /// The number of `gpu`.
  public int gpu() {
    return counted.gpu();
  }

  public Charge nothing() {
    return new Charge(new long[counted.size()]);
  }

  public long allocated(int q, int r) {
    return allocated[q][r];
  }

  /// Grows whenever anything allocated changes.
  public long version() {
    return version;
  }

  /// Tells in which leaf queues anything allocated changed since a version, each at least once.
  ///
  /// @return whether that is known: only the last changes are
  public boolean tellChanged(long since, IntConsumer leaf) {
    if (version - since > REMEMBERED) {
      return false;
    }
    for (long v = since; v < version; v++) {
      leaf.accept(changed[(int) (v % REMEMBERED)]);
    }
    return true;
  }

  public long nonPreemptible(int q, int r) {
    return nonPreemptible[q][r];
  }

  /// [Queue#UNLIMITED] where there is none.
  public long limit(int q, int r) {
    return limit[q][r];
  }

  /// 0 where the queue says nothing.
  public long quota(int q, int r) {
    return quota[q][r];
  }

  /// Over-quota weight: 1 where the queue says nothing.
  public double weight(int q, int r) {
    return weight[q][r];
  }

  /// What members without a place asked for when the session began, in the queue and below it. It
  /// stands still, as shares do that are divided by it.
  public long pending(int q, int r) {
    return pending[q][r];
  }

  /// A copy of what all queues have allocated, by queue and resource.
  public long[][] allocated() {
    var copy = new long[allocated.length][];
    for (int q = 0; q < copy.length; q++) {
      copy[q] = allocated[q].clone();
    }
    return copy;
  }

  /// Whether every queue answers for the resource, named or not: `gpu`, `cpu` and `memory`.
  public boolean isBasic(int r) {
    return counted.isBasic(r);
  }

  /// Whether a status of the queue tells of the resource: every one of `gpu`, `cpu` and `memory`,
  /// of others those that it names or has.
  public boolean tells(int q, int r) {
    var queue = queues.get(q);
    return isBasic(r)
        || named[q][r]
        || limit[q][r] != Queue.UNLIMITED
        || queue.weight().containsKey(counted.name(r))
        || allocated[q][r] != 0
        || pending[q][r] != 0;
  }

  /// Whether non-preemptible work lives within the quota: not in a queue without a word on quotas,
  /// nor for a resource that only other queues name. A quota of 0 is one.
  public boolean isMeasured(int q, int r) {
    return queues.get(q).declaresQuota() && named[q][r];
  }

  void add(int leaf, Charge charge, boolean preemptible) {
    change(leaf, charge, preemptible, 1);
  }

  void subtract(int leaf, Charge charge, boolean preemptible) {
    change(leaf, charge, preemptible, -1);
  }

  /// Of preemptible work another part stays for ever: it counts as non-preemptible.
  void stays(int leaf, Charge before, Charge now) {
    notes(leaf);
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        nonPreemptible[q][r] += now.of(r) - before.of(r);
      }
    }
  }

  /// A pod in this queue has no place, or not yet.
  void awaits(int leaf, Charge asked) {
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        pending[q][r] = Charge.sum(pending[q][r], asked.of(r));
      }
    }
  }

  /// The reverse of [#awaits].
  void awaitsNoMore(int leaf, Charge asked) {
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        isExact &= pending[q][r] != Long.MAX_VALUE;
        pending[q][r] -= asked.of(r);
      }
    }
  }

  /// Whether what is pending is still a sum: absurd ones saturate, and then no request can be
  /// subtracted again.
  boolean isExact() {
    return isExact;
  }

  private void notes(int leaf) {
    changed[(int) (version % REMEMBERED)] = leaf;
    version++;
  }

  private void change(int leaf, Charge charge, boolean preemptible, int sign) {
    notes(leaf);
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        allocated[q][r] += sign * charge.of(r);
        nonPreemptible[q][r] += preemptible ? 0 : sign * charge.of(r);
      }
    }
  }

  /// All queues, in name order.
  List<Queue> all() {
    return Collections.unmodifiableList(queues);
  }

  void fingerprint(StringBuilder into) {
    into.append("allocated ").append(Arrays.deepToString(allocated));
    into.append("\nnonPreemptible ").append(Arrays.deepToString(nonPreemptible)).append('\n');
  }

  /// The child of the lowest common ancestor of both that is above, or is, `queue`; none where one
  /// is the other.
  public int side(int queue, int other) {
    int[] mine = chain(queue);
    int[] theirs = chain(other);
    int common = 0;
    while (common < mine.length
        && common < theirs.length
        && mine[mine.length - 1 - common] == theirs[theirs.length - 1 - common]) {
      common++;
    }
    return common == mine.length ? NONE : mine[mine.length - 1 - common];
  }
}
