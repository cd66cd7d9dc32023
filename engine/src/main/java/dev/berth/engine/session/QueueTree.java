package dev.berth.engine.session;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The tree of queues and what each has allocated, by dense number: queues in name order, and the
/// resources that queues count (`gpu`, `cpu`, `memory`, and what any queue names).
public final class QueueTree {
  /// No queue: a cluster without Queue objects has no limits.
  public static final int NONE = -1;

  private static final int BASIC = 3;

  private final List<Queue> queues;
  private final TreeMap<QueueName, QueueName> near = new TreeMap<>(); // to names that are missing
  private final Resources counted = new Resources();
  private final int gpu;
  private final boolean countsModels;
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
  private final long[] versions; // of each queue, growing with what it has allocated
  private long version;
  private boolean isExact = true;

  QueueTree(List<Queue> queues) {
    this.queues = queues;
    int size = queues.size();
    gpu = counted.intern(Resource.GPU);
    counted.intern(Resource.CPU);
    counted.intern(Resource.MEMORY);
    for (Queue queue : queues) {
      queue.quota().resources().forEach(counted::intern);
      queue.zeroQuota().forEach(counted::intern);
      queue.limit().keySet().forEach(counted::intern);
      queue.weight().keySet().forEach(counted::intern);
    }
    boolean models = false;
    for (int r = 0; r < counted.size(); r++) {
      models |= counted.name(r).name().startsWith("gpu/");
    }
    countsModels = models;
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
    versions = new long[size];
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
      named[q][r] = quota[q][r] != 0 || isZero || r <= counted.find(Resource.MEMORY);
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
  public boolean isBroken(int q) {
    return !brokenAt[q].isNone();
  }

  /// Why nothing can start in a queue that is called so, if so.
  ///
  /// @param byDefault the queue of those who name none: it need not exist in a cluster without
  ///   queues
  Optional<Reason> flaw(QueueName name, QueueName byDefault) {
    int q = find(name);
    if (q == NONE) {
      // the default queue needs no object: who named no queue is not stopped by the first one made
      boolean implied = name.equals(byDefault) || name.isNone() && queues.isEmpty();
      return implied ? Optional.empty() : Optional.of(new Reason.NoSuchQueue(name, near(name)));
    }
    if (!brokenAt[q].isNone()) {
      return Optional.of(new Reason.BrokenQueue(name, brokenAt[q], cyclic[q]));
    }
    if (children[q].length > 0) {
      return Optional.of(new Reason.NotALeaf(name, queues.get(children[q][0]).name()));
    }
    return problem(q);
  }

  /// Found once for all who name it: of thousands of queues that takes a while.
  private QueueName near(QueueName name) {
    return near.computeIfAbsent(
        name,
        missing ->
            missing.isNone()
                ? QueueName.NONE
                : Spelling.nearest(
                        missing.value(), queues.stream().map(each -> each.name().value()).toList())
                    .map(QueueName::new)
                    .orElse(QueueName.NONE));
  }

  /// What is wrong with a queue itself, so that nothing can start in it or below it.
  public Optional<Reason> flaw(int q) {
    return isBroken(q)
        ? Optional.of(new Reason.BrokenQueue(queues.get(q).name(), brokenAt[q], cyclic[q]))
        : problem(q);
  }

  /// Whether the queue of a group takes no pods of its namespace: the first in the chain that says
  /// whose pods it takes decides.
  Optional<Reason> refusesNamespace(PodGroup group) {
    int q = find(group.queue());
    for (int level : q == NONE ? new int[0] : chain[q]) {
      var queue = queues.get(level);
      var takes = queue.namespaces();
      if (takes.isPresent()) {
        return takes.get().matches(group.namespaceLabels())
            ? Optional.empty()
            : Optional.of(
                new Reason.QueueNotAllowed(
                    group.queue(), group.key().namespace(), queue.name(), takes.get()));
      }
    }
    return Optional.empty();
  }

  private Optional<Reason> problem(int q) {
    for (int level : chain[q]) {
      var queue = queues.get(level);
      if (!queue.problems().isEmpty()) {
        return Optional.of(
            new Reason.BadRequest("queue " + queue.name(), queue.problems().getFirst()));
      }
    }
    return Optional.empty();
  }

  // ---- what is counted

  /// How many resources queues count.
  public int width() {
    return counted.size();
  }

  public Resource resource(int r) {
    return counted.name(r);
  }

  /// The number of `gpu`.
  public int gpu() {
    return gpu;
  }

  /// Whether any queue says something on one device model.
  boolean countsModels() {
    return countsModels;
  }

  /// What a pod is charged on a node with such devices. A share of memory that fits no device
  /// counts as the whole device.
  ///
  /// @param claimed thousandths of GPUs that it has by claims
  Charge charge(PodRequest request, long claimed, String model, long memoryMib) {
    var values = new long[counted.size()];
    var amounts = request.amounts();
    long devices =
        (long) request.devices().count() * Math.min(1000, request.devices().millisOn(memoryMib));
    for (int i = 0; i < amounts.size(); i++) {
      var resource = amounts.resource(i);
      devices = Charge.sum(devices, 1000L * resource.migSlices() * amounts.value(i));
      int r = counted.find(resource);
      if (r != Resources.UNKNOWN && r != gpu) {
        values[r] = amounts.value(i);
      }
    }
    values[gpu] = Charge.sum(devices, claimed);
    if (countsModels && devices > 0 && !model.isEmpty()) {
      int r = counted.find(Resource.gpuOfModel(model));
      if (r != Resources.UNKNOWN) {
        values[r] = devices;
      }
    }
    return new Charge(values);
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

  /// Grows whenever what this queue or one below it has allocated changes.
  public long version(int q) {
    return versions[q];
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

  // ---- the gates of capacity

  /// The first level, from the leaf to the root, that has no room for `charge` more.
  ///
  /// @param mayBorrow whether it may go beyond quota ([Group#mayBorrow])
  public Optional<Reason> refuses(int leaf, Charge charge, boolean mayBorrow) {
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        long asked = charge.of(r);
        if (asked > 0 && Charge.sum(allocated[q][r], asked) > limit[q][r]) {
          return Optional.of(
              new Reason.OverLimit(
                  queues.get(q).name(),
                  counted.name(r),
                  allocated[q][r],
                  asked,
                  limit[q][r],
                  beyondLimit(q, r + 1, charge)));
        }
        if (asked > 0
            && !mayBorrow
            && isMeasured(q, r)
            && Charge.sum(nonPreemptible[q][r], asked) > quota[q][r]) {
          return Optional.of(
              new Reason.NonPreemptibleOverQuota(
                  queues.get(q).name(),
                  counted.name(r),
                  nonPreemptible[q][r],
                  asked,
                  quota[q][r],
                  beyondQuota(q, r + 1, charge)));
        }
      }
    }
    return Optional.empty();
  }

  private List<Reason.Excess> beyondLimit(int q, int from, Charge charge) {
    var more = new ArrayList<Reason.Excess>();
    for (int r = from; r < counted.size(); r++) {
      long asked = charge.of(r);
      if (asked > 0 && Charge.sum(allocated[q][r], asked) > limit[q][r]) {
        more.add(new Reason.Excess(counted.name(r), allocated[q][r], asked, limit[q][r]));
      }
    }
    return more;
  }

  private List<Reason.Excess> beyondQuota(int q, int from, Charge charge) {
    var more = new ArrayList<Reason.Excess>();
    for (int r = from; r < counted.size(); r++) {
      long asked = charge.of(r);
      if (asked > 0 && isMeasured(q, r) && Charge.sum(nonPreemptible[q][r], asked) > quota[q][r]) {
        more.add(new Reason.Excess(counted.name(r), nonPreemptible[q][r], asked, quota[q][r]));
      }
    }
    return more;
  }

  /// Whether non-preemptible work would stay within quota on every level.
  public boolean keepsNonPreemptibleQuota(int leaf, Charge charge) {
    for (int q : chain(leaf)) {
      for (int r = 0; r < counted.size(); r++) {
        if (charge.of(r) > 0
            && isMeasured(q, r)
            && Charge.sum(nonPreemptible[q][r], charge.of(r)) > quota[q][r]) {
          return false;
        }
      }
    }
    return true;
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
    return r < BASIC;
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
    version++;
    for (int q : chain(leaf)) {
      versions[q] = version;
      for (int r = 0; r < counted.size(); r++) {
        nonPreemptible[q][r] += now.of(r) - before.of(r);
      }
    }
  }

  /// Somebody in this queue has no place, or not yet.
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

  /// Whether what is pending is still a sum: absurd ones saturate, and then nobody can be taken out
  /// of them again.
  boolean isExact() {
    return isExact;
  }

  private void change(int leaf, Charge charge, boolean preemptible, int sign) {
    version++;
    for (int q : chain(leaf)) {
      versions[q] = version;
      for (int r = 0; r < counted.size(); r++) {
        allocated[q][r] += sign * charge.of(r);
        nonPreemptible[q][r] += preemptible ? 0 : sign * charge.of(r);
      }
    }
  }

  /// All queues, in name order.
  public List<Queue> all() {
    return Collections.unmodifiableList(queues);
  }

  void fingerprint(StringBuilder into) {
    into.append("allocated ").append(Arrays.deepToString(allocated));
    into.append("\nnonPreemptible ").append(Arrays.deepToString(nonPreemptible)).append('\n');
  }
}
