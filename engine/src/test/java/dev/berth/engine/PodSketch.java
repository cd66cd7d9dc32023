package dev.berth.engine;

import dev.berth.engine.model.Alignment;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Equal pods of one group in the words of a test: `gang(4).share(500).priority(50)`. Each asks for
/// one GPU unless something else is said.
public final class PodSketch {
  final int count;
  int minMember;
  int minSubGroup;
  final List<SubGroup> subGroups = new ArrayList<>();
  final List<String> roles = new ArrayList<>();
  TopologyAsk topology = TopologyAsk.NONE;
  int priority = 50;
  Preemptibility preemptibility = Preemptibility.BY_PRIORITY;
  int minutesOld = 60;
  String node = "";
  boolean gated = true;
  boolean runsOn;
  String block = "";
  boolean single;
  boolean owned = true;
  Duration grace = Duration.ofSeconds(30);
  boolean withoutObject;
  Patience patience = Patience.NONE;
  Duration ran = Duration.ofHours(1);
  Duration ranAsGroup = Duration.ZERO;
  Duration warned = Duration.ZERO;
  Idleness idle = Idleness.NONE;
  Idleness.Notice idleNotice = Idleness.Notice.NONE;
  int completed;
  int awaited;
  Completions completions = Completions.NONE;
  boolean takesVictims = true;
  boolean standsFast;
  boolean resumed;
  final List<String> otherGates = new ArrayList<>();
  final TreeMap<String, String> vetoes = new TreeMap<>();
  boolean deleted;
  final List<Problem> problems = new ArrayList<>();

  final TreeMap<String, String> labels = new TreeMap<>();
  final List<String> claims = new ArrayList<>();
  String ownClass = "";
  int ownCount;
  long ownMib; // of each device; 0 = whole devices

  private final List<Integer> gpusEach = new ArrayList<>(); // none = all alike
  private final List<PodTerm> near = new ArrayList<>();
  private final List<PodTerm> apart = new ArrayList<>();
  private final List<Spread> spread = new ArrayList<>();
  private final TreeMap<Resource, Long> amounts = new TreeMap<>();
  DeviceRequest devices = new DeviceRequest.Whole(Resource.NVIDIA, 1);
  private final List<String> models = new ArrayList<>();
  private final List<String> ports = new ArrayList<>();
  private final List<Amounts> containers = new ArrayList<>();
  private boolean guaranteed;
  private Isolation isolation = Isolation.NONE;
  private final TreeMap<String, String> selector = new TreeMap<>();
  private final List<Term> required = new ArrayList<>();
  private final List<Toleration> tolerations = new ArrayList<>();
  private final List<List<Term>> reach = new ArrayList<>();
  private final List<List<Term>> lastsReach = new ArrayList<>();
  final List<Pod.VolumeRef> volumes = new ArrayList<>();

  private PodSketch(int count, int minMember) {
    this.count = count;
    this.minMember = minMember;
    amounts.put(Resource.CPU, 1000L);
    amounts.put(Resource.MEMORY, 1L << 30);
  }

  /// How long it may take to leave.
  public PodSketch grace(Duration time) {
    grace = time;
    return this;
  }

  /// They are deleted.
  public PodSketch deleted() {
    deleted = true;
    return this;
  }

  /// They are deleted, and have a year to end.
  public PodSketch runsOn() {
    runsOn = true;
    return this;
  }

  /// Its group has run since then without a pause, although pods may have been created again.
  public PodSketch runsSince(Duration ago) {
    ranAsGroup = ago;
    return this;
  }

  /// So many others of its group ended well, and are gone.
  public PodSketch completed(int members) {
    completed = members;
    return this;
  }

  /// Their workload makes others in the stead of those that complete, until so many have.
  ///
  /// @param coming how many have completed of which it does not tell yet
  public PodSketch completing(int left, int coming) {
    completions = new Completions(left, 0, coming);
    return this;
  }

  /// This number of other members was moved, and they are not created again yet.
  public PodSketch awaited(int members) {
    awaited = members;
    return this;
  }

  /// They were planned together.
  public PodSketch inBlock(String name) {
    block = name;
    return this;
  }

  /// No controller makes them anew.
  public PodSketch bare() {
    owned = false;
    return this;
  }

  /// All of them or none.
  public static PodSketch gang(int count) {
    return new PodSketch(count, count);
  }

  /// One starts, the others follow.
  public static PodSketch pods(int count) {
    return new PodSketch(count, 1);
  }

  /// A bare pod: a group of one without object.
  public static PodSketch pod() {
    var sketch = new PodSketch(1, 1);
    sketch.single = true;
    return sketch;
  }

  public PodSketch atLeast(int members) {
    minMember = members;
    return this;
  }

  public PodSketch gpus(int count) {
    devices = new DeviceRequest.Whole(Resource.NVIDIA, count);
    return this;
  }

  /// Whole devices of a kind.
  public PodSketch devices(Resource kind, int count) {
    devices = new DeviceRequest.Whole(kind, count);
    return this;
  }

  /// A gang whose members ask for so many each, in their order.
  public static PodSketch gangOf(int... gpus) {
    var sketch = gang(gpus.length);
    for (int each : gpus) {
      sketch.gpusEach.add(each);
    }
    return sketch;
  }

  /// Its members ask for so many whole devices each, in their order.
  public PodSketch unlike(List<Integer> gpus) {
    gpusEach.clear();
    gpusEach.addAll(gpus);
    return this;
  }

  public PodSketch noGpu() {
    devices = DeviceRequest.NONE;
    return this;
  }

  public PodSketch share(int millis) {
    return share(millis, 1);
  }

  public PodSketch share(int millis, int count) {
    devices = new DeviceRequest.Fraction(millis, millis, count);
    return this;
  }

  public PodSketch memory(long mib) {
    return memory(mib, 1);
  }

  public PodSketch memory(long mib, int count) {
    devices = new DeviceRequest.Memory(mib, mib, count);
    return this;
  }

  public PodSketch asks(Resource resource, long amount) {
    amounts.put(resource, amount);
    return this;
  }

  /// Of QoS class Guaranteed: its cores, which must be whole, and its memory are aligned, too.
  public PodSketch guaranteed() {
    guaranteed = true;
    return this;
  }

  /// What its containers ask that must be aligned.
  public PodSketch containers(Amounts... each) {
    containers.addAll(List.of(each));
    return this;
  }

  public PodSketch model(String name) {
    models.add(name);
    return this;
  }

  public PodSketch port(String port) {
    ports.add(port);
    return this;
  }

  public PodSketch isolated(Isolation by) {
    isolation = by;
    return this;
  }

  public PodSketch selects(String key, String value) {
    selector.put(key, value);
    return this;
  }

  public PodSketch wants(String key, Operator operator, String... values) {
    required.add(new Term(List.of(new Expression(false, key, operator, List.of(values)))));
    return this;
  }

  /// All of these must hold of a node.
  public PodSketch wantsAll(List<Expression> expressions) {
    required.add(new Term(expressions));
    return this;
  }

  /// It has a volume that can be reached from nodes with that label alone.
  public PodSketch volumeIn(String key, String value) {
    var expression = new Expression(false, key, Operator.IN, List.of(value));
    reach.add(List.of(new Term(List.of(expression))));
    return this;
  }

  /// Its last member has one.
  public PodSketch lastsVolumeIn(String key, String value) {
    var expression = new Expression(false, key, Operator.IN, List.of(value));
    lastsReach.add(List.of(new Term(List.of(expression))));
    return this;
  }

  public PodSketch volumeLacks(String claim, VolumeLack lack) {
    volumes.add(new Pod.VolumeRef(claim, false).known("disks", lack));
    return this;
  }

  public PodSketch wantsNode(Operator operator, String... names) {
    required.add(
        new Term(List.of(new Expression(true, "metadata.name", operator, List.of(names)))));
    return this;
  }

  public PodSketch tolerates(String key, String effect) {
    tolerations.add(new Toleration(key, true, "", effect));
    return this;
  }

  public PodSketch label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  public boolean hasLabel(String key) {
    return labels.containsKey(key);
  }

  /// In one domain with a pod that has this label.
  public PodSketch near(String topologyKey, String label, String value) {
    near.add(new PodTerm(topologyKey, peers(label, value)));
    return this;
  }

  /// In no domain with a pod that has this label.
  public PodSketch apart(String topologyKey, String label, String value) {
    apart.add(new PodTerm(topologyKey, peers(label, value)));
    return this;
  }

  /// In no domain with a pod of this term.
  public PodSketch apart(PodTerm term) {
    apart.add(term);
    return this;
  }

  /// Pods with this label are spread over domains.
  public PodSketch evenly(String topologyKey, int maxSkew, String label, String value) {
    return evenly(topologyKey, maxSkew, 0, label, value);
  }

  public PodSketch evenly(
      String topologyKey, int maxSkew, int minDomains, String label, String value) {
    spread.add(new Spread(topologyKey, maxSkew, minDomains, true, false, peers(label, value)));
    return this;
  }

  private static Peers peers(String label, String value) {
    var expression = new Expression(false, label, Operator.IN, List.of(value));
    return new Peers(List.of("default"), false, List.of(expression));
  }

  /// A claim that others may share.
  public PodSketch claims(String name) {
    claims.add(name);
    return this;
  }

  /// Each has a claim of its own on so much memory of each of so many devices.
  public PodSketch claimsMib(String deviceClass, int count, long mib) {
    ownMib = mib;
    return claimsEach(deviceClass, count);
  }

  /// Each has a claim of its own, made from a template.
  public PodSketch claimsEach(String deviceClass, int count) {
    ownClass = deviceClass;
    ownCount = count;
    return this;
  }

  public PodSketch priority(int value) {
    priority = value;
    return this;
  }

  public PodSketch nonPreemptible() {
    preemptibility = Preemptibility.NON_PREEMPTIBLE;
    return this;
  }

  public PodSketch semiPreemptible() {
    preemptibility = Preemptibility.SEMI_PREEMPTIBLE;
    return this;
  }

  public PodSketch minutesOld(int minutes) {
    minutesOld = minutes;
    return this;
  }

  /// Where running pods are; else each is on the first node that has room.
  public PodSketch on(String name) {
    node = name;
    return this;
  }

  public PodSketch ungated() {
    gated = false;
    return this;
  }

  public PodSketch gate(String other) {
    otherGates.add(other);
    return this;
  }

  public PodSketch withoutObject() {
    withoutObject = true;
    return this;
  }

  public PodSketch vetoed(String name, String words) {
    vetoes.put(name, words);
    return this;
  }

  public PodSketch problem(String field, String value, String rule) {
    problems.add(new Problem(field, value, rule));
    return this;
  }

  /// Of running pods: for how long; zero = not told yet.
  public PodSketch runningFor(Duration time) {
    ran = time;
    return this;
  }

  /// It says that it runs for so long.
  public PodSketch expects(Duration runtime) {
    patience = new Patience(Duration.ZERO, Duration.ZERO, runtime, Duration.ZERO);
    return this;
  }

  public PodSketch mustRunAtMost(Duration time) {
    patience = new Patience(Duration.ZERO, Duration.ZERO, Duration.ZERO, time);
    return this;
  }

  /// Since when its group is warned that its time is over soon.
  public PodSketch warnedFor(Duration time) {
    warned = time;
    return this;
  }

  /// Its GPUs do nothing.
  ///
  /// @param queue whose rule says so
  public PodSketch idleBy(String queue, QueueSketch says) {
    var rule = says.named(queue).idle();
    idle = new Idleness(rule, Cluster.NOW.minus(rule.after()), 1, 1000);
    return this;
  }

  /// Since when its group says that it is evicted for that.
  public PodSketch toldIdleFor(Duration time) {
    idleNotice = new Idleness.Notice(Cluster.NOW.minus(time), true);
    return this;
  }

  /// Since when its group only says that it is idle.
  public PodSketch reportedIdleFor(Duration time) {
    idleNotice = new Idleness.Notice(Cluster.NOW.minus(time), false);
    return this;
  }

  public PodSketch takesVictimsAfter(Duration delay) {
    patience = new Patience(delay, Duration.ZERO, Duration.ZERO, Duration.ZERO);
    return this;
  }

  public PodSketch takesNoVictims() {
    takesVictims = false;
    return this;
  }

  public PodSketch standsFast() {
    standsFast = true;
    return this;
  }

  public PodSketch resumed() {
    resumed = true;
    return this;
  }

  public PodSketch staleAfter(Duration grace) {
    patience = new Patience(Duration.ZERO, grace, Duration.ZERO, Duration.ZERO);
    return this;
  }

  public PodSketch together(String topology, String required, String preferred) {
    this.topology = new TopologyAsk(topology, required, preferred);
    return this;
  }

  /// The first `members` that have no role yet get this one.
  public PodSketch role(String name, String parent, int members, int atLeast) {
    return role(name, parent, members, atLeast, TopologyAsk.NONE);
  }

  public PodSketch role(String name, String parent, int members, int atLeast, TopologyAsk ask) {
    minMember = 0;
    subGroups.add(new SubGroup(name, parent, atLeast, 0, ask));
    for (int i = 0; i < members; i++) {
      roles.add(name);
    }
    return this;
  }

  public PodSketch inner(String name, String parent, int atLeast) {
    return inner(name, parent, atLeast, TopologyAsk.NONE);
  }

  public PodSketch inner(String name, String parent, int atLeast, TopologyAsk ask) {
    subGroups.add(new SubGroup(name, parent, 0, atLeast, ask));
    return this;
  }

  public PodSketch atLeastSubGroups(int children) {
    minSubGroup = children;
    return this;
  }

  public String role(int member) {
    return member < roles.size() ? roles.get(member) : "";
  }

  /// Of a member that waits.
  public PodRequest request(int member) {
    if (!gpusEach.isEmpty()) {
      gpus(gpusEach.get(member));
    }
    return request();
  }

  public PodRequest request() {
    var all = new TreeMap<>(amounts);
    if (devices instanceof DeviceRequest.Whole(var resource, int devicesAsked)) {
      all.put(resource, (long) devicesAsked);
    }
    return new PodRequest(Amounts.of(all), devices, "", models, isolation, ports)
        .aligned(alignment());
  }

  /// Of one container, unless something else is said.
  private Alignment alignment() {
    if (!containers.isEmpty()) {
      var sum = Amounts.NONE;
      for (Amounts each : containers) {
        sum = sum.plus(each);
      }
      return new Alignment(containers, sum);
    }
    var aligned = Amounts.NONE;
    if (devices instanceof DeviceRequest.Whole(var resource, int devicesAsked)) {
      aligned = Amounts.of(resource, devicesAsked);
    }
    if (guaranteed) {
      aligned = aligned.plus(Amounts.of(amounts));
    }
    return aligned.isNone() ? Alignment.NONE : new Alignment(List.of(aligned), aligned);
  }

  public Constraints constraints(int member) {
    return member == count - 1 && !lastsReach.isEmpty()
        ? constraints().with(lastsReach)
        : constraints();
  }

  private Constraints constraints() {
    return new Constraints(
        selector, required, tolerations, new InterPod(near, apart, spread), reach);
  }
}
