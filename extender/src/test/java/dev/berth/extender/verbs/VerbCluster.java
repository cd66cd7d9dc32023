package dev.berth.extender.verbs;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.barrier.Barrier;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.barrier.Timer;
import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.BindAnswer;
import dev.berth.extender.wire.BindQuestion;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.NodeNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// A ledger with pods in every standing, and the verbs on top of it.
public final class VerbCluster {
  static final String NAMESPACE = "ml";

  /// Where time really passes: a member of a gang waits for the others for a minute.
  public static final BindSettings ON_A_CLOCK =
      new BindSettings(
          Duration.ofSeconds(60),
          Duration.ofMillis(50),
          Duration.ofSeconds(60),
          Duration.ofMillis(5));

  public final Timer later;
  public final Ledger ledger;
  public final StubUngated ungated = new StubUngated();
  public final InMemoryBindings bindings = new InMemoryBindings();
  public final List<BarrierResult> gangs = Collections.synchronizedList(new ArrayList<>());
  public final List<VerbOutcome> outcomes = Collections.synchronizedList(new ArrayList<>());
  public final List<PodUid> refused = Collections.synchronizedList(new ArrayList<>());
  public final Map<Map<String, Object>, Pod> manifests = new LinkedHashMap<>();
  public final Barrier barrier;
  public final FilterVerb filter;
  public final PrioritizeVerb prioritize;
  public final PreemptVerb preempt;
  public final BindVerb bind;

  /// What is missing until we may answer.
  public volatile Optional<String> missing = Optional.empty();

  /// A further counter of outcomes.
  public volatile OutcomeCounter tally = OutcomeCounter.NONE;

  private final Offers offers =
      new Offers() {
        @Override
        public boolean askedAnew(PodUid pod) {
          return ledger.asksAnew(pod, Instant.parse("2026-01-01T00:00:00Z"));
        }

        @Override
        public void made(PodUid pod) {
          refused.remove(pod);
        }

        @Override
        public void refused(PodUid pod, WrittenPlan plan) {
          refused.add(pod);
        }
      };

  private final List<BindVerb> told = new ArrayList<>();
  private long version = 1;

  public VerbCluster(Timer later, BindSettings settings) {
    this.later = later;
    this.ledger = new Ledger(LedgerSettings.DEFAULT, () -> told.forEach(BindVerb::changed));
    Supplier<Snapshot> snapshots = () -> ledger.snapshot(later.instant());
    var cases =
        new PodClassifier(
            ledger,
            manifests::get,
            new ServedSchedulers(List.of("berth"), List.of("default-scheduler")));
    var context =
        new VerbContext(
            () -> missing,
            (verb, outcome) -> {
              outcomes.add(outcome);
              tally.counted(verb, outcome);
            });
    this.barrier = new Barrier(settings.barrier(), new BoundInLedger(ledger), later, gangs::add);
    var parts = new VerbParts(cases, snapshots, ungated, context);
    this.filter = new FilterVerb(parts, offers);
    this.prioritize = new PrioritizeVerb(parts);
    this.preempt = new PreemptVerb(parts);
    var adoption = new Adoption(ledger, cases, ungated, later, settings.adoptionTimeout());
    var clock = new BindClock(later, settings);
    var writer = new BindWriter(ledger, bindings, clock);
    this.bind = new BindVerb(ledger, adoption, barrier, writer, clock, context);
    told.add(bind);
  }

  public VerbCluster nodes(String... names) {
    for (String name : names) {
      node(name, Map.of(), List.of(), false);
    }
    return this;
  }

  public VerbCluster node(
      String name, Map<String, String> labels, List<Node.Taint> taints, boolean cordoned) {
    var allocatable = new TreeMap<Resource, Long>();
    allocatable.put(Resource.CPU, 2_000_000L);
    allocatable.put(Resource.MEMORY, 1L << 42);
    allocatable.put(Resource.PODS, 5000L);
    allocatable.put(Resource.NVIDIA, 8L);
    ledger.record(
        new Fact.NodeSeen(
            new Node(
                new NodeName(name),
                version++,
                new TreeMap<>(labels),
                taints,
                cordoned,
                true,
                Amounts.of(allocatable),
                new Node.Accelerator(Resource.NVIDIA, 8, "H100", 81920, Node.Mig.NONE))));
    return this;
  }

  public static final class PodBuilder {
    private final String name;
    private String scheduler = "berth";
    private NodeName node = NodeName.NONE;
    private List<String> gates = List.of();
    private DeviceRequest devices = DeviceRequest.NONE;
    private GroupKey group = GroupKey.NONE;
    private QueueName queue = QueueName.NONE;
    private String priorityClass = "";
    private String namespace = NAMESPACE;
    private WrittenPlan plan = WrittenPlan.NONE;
    private Pod.Holding holding = Pod.Holding.NONE;
    private Pod.Phase phase = Pod.Phase.PENDING;
    private boolean leaving;
    private Constraints constraints = Constraints.NONE;

    private PodBuilder(String name) {
      this.name = name;
    }

    public PodBuilder scheduler(String name) {
      scheduler = name;
      return this;
    }

    public PodBuilder on(String name) {
      node = new NodeName(name);
      return this;
    }

    public PodBuilder gated() {
      gates = List.of(Pod.Lifecycle.GATE);
      return this;
    }

    public PodBuilder sharing(int millis) {
      devices = new DeviceRequest.Fraction(millis, millis, 1);
      return this;
    }

    public PodBuilder devices(int count) {
      devices = new DeviceRequest.Whole(Resource.NVIDIA, count);
      return this;
    }

    public PodBuilder of(GroupKey key) {
      group = key;
      return this;
    }

    public PodBuilder in(String other) {
      namespace = other;
      return this;
    }

    public PodBuilder queue(String leaf) {
      queue = new QueueName(leaf);
      return this;
    }

    /// Its label `priorityClassName`.
    public PodBuilder priorityClass(String named) {
      priorityClass = named;
      return this;
    }

    public PodBuilder written(WrittenPlan written) {
      plan = written;
      return this;
    }

    public PodBuilder holding(String nodeName, int slot, String uuid) {
      holding = new Pod.Holding(new NodeName(nodeName), slot, uuid);
      node = new NodeName(nodeName);
      devices = new DeviceRequest.Whole(Resource.NVIDIA, 1);
      return this;
    }

    public PodBuilder phase(Pod.Phase life) {
      phase = life;
      return this;
    }

    public PodBuilder within(Constraints rules) {
      constraints = rules;
      return this;
    }

    public PodBuilder leaving() {
      leaving = true;
      return this;
    }

    public Pod build(long version) {
      var amounts = new TreeMap<Resource, Long>();
      amounts.put(Resource.CPU, 100L);
      amounts.put(Resource.PODS, 1L);
      if (devices instanceof DeviceRequest.Whole(Resource resource, int count)) {
        amounts.put(resource, (long) count);
      }
      var request =
          new PodRequest(
              Amounts.of(amounts),
              devices,
              devices.isShare() ? "main" : "",
              List.of(),
              PodRequest.Isolation.NONE,
              List.of());
      return new Pod(
          uid(name),
          new PodKey(namespace, name),
          version,
          Instant.parse("2025-12-31T23:00:00Z"),
          scheduler,
          new Pod.Lifecycle(phase, node, gates, leaving, ""),
          new Pod.Asks(request, constraints, 0, Preemptibility.PREEMPTIBLE),
          new Pod.Belonging(
              queue,
              group,
              0,
              "",
              Pod.Owner.NONE,
              0,
              priorityClass,
              GroupSpec.TopologyAsk.NONE,
              GroupSpec.Patience.NONE),
          new Pod.Written(plan, List.of()),
          holding,
          List.of());
    }
  }

  public static PodBuilder pod(String name) {
    return new PodBuilder(name);
  }

  public static PodUid uid(String pod) {
    return new PodUid("uid-" + pod);
  }

  public static PodKey key(String pod) {
    return new PodKey(NAMESPACE, pod);
  }

  public VerbCluster seen(PodBuilder pod) {
    ledger.record(new Fact.PodSeen(pod.build(version++)));
    return this;
  }

  public VerbCluster gone(String pod) {
    ledger.record(new Fact.PodGone(key(pod), uid(pod)));
    return this;
  }

  /// A pod of ours that waits behind its gate, is planned onto a node and then released.
  public VerbCluster planned(String name, String node) {
    return planned(pod(name), Placement.on(new NodeName(node)));
  }

  /// The same with a share of a device.
  public VerbCluster sharing(String name, String node, int slot, int millis) {
    return planned(
        pod(name).sharing(millis), new Placement(new NodeName(node), List.of(slot), millis));
  }

  VerbCluster planned(PodBuilder pod, Placement placement) {
    seen(pod.gated());
    var reserved = new Decision.Reserved(uid(pod.name), key(pod.name), placement);
    var group = new GroupKey(NAMESPACE, pod.name);
    assume(new Decision.Reserve(group, List.of(reserved), List.of(), List.of()), pod);
    return this;
  }

  private void assume(Decision.Reserve reserve, PodBuilder like) {
    var assumed = ledger.assume(reserve, later.instant().plus(Duration.ofMinutes(5)));
    for (var each : assumed.orElseThrow()) {
      var released = pod(each.pod().key().name()).of(like.group).written(each.plan());
      released.devices = like.devices;
      released.constraints = like.constraints;
      seen(released);
    }
  }

  /// Members `name-0` … of one gang, planned together onto one node and released.
  public VerbCluster gang(String name, int size, String node) {
    var key = new GroupKey(NAMESPACE, name);
    group(name, size);
    var block = new ArrayList<Decision.Reserved>();
    for (int i = 0; i < size; i++) {
      String member = name + "-" + i;
      seen(pod(member).of(key).gated());
      block.add(new Decision.Reserved(uid(member), key(member), Placement.on(new NodeName(node))));
    }
    assume(new Decision.Reserve(key, block, List.of(), List.of()), pod(name).of(key));
    return this;
  }

  /// A PodGroup object.
  public VerbCluster group(String name, int size) {
    ledger.record(
        new Fact.GroupSeen(
            new GroupSpec(
                new GroupKey(NAMESPACE, name),
                "uid-of-" + name,
                version++,
                Instant.parse("2025-12-31T23:00:00Z"),
                QueueName.NONE,
                size,
                0,
                List.of(),
                GroupSpec.TopologyAsk.NONE,
                "",
                Preemptibility.PREEMPTIBLE,
                GroupSpec.Patience.NONE,
                Instant.EPOCH,
                List.of())));
    return this;
  }

  public VerbCluster priorityClass(String name, int value) {
    ledger.record(new Fact.PriorityClassSeen(name, version++, value, false));
    return this;
  }

  public static BindQuestion bindOf(String pod, String node) {
    return new BindQuestion(key(pod), uid(pod), new NodeName(node));
  }

  public CompletableFuture<BindAnswer> bind(String pod, String node) {
    return bind.answer(bindOf(pod, node)).toCompletableFuture();
  }

  /// A question about a pod that the ledger knows.
  public static FilterQuestion about(String pod, String... nodes) {
    return new FilterQuestion(
        AskedPod.of(uid(pod), key(pod), Map.of()), NodeNames.of(names(nodes)), false);
  }

  /// A question about a pod that the ledger has not heard of.
  public FilterQuestion about(PodBuilder stranger, String... nodes) {
    var manifest = Map.<String, Object>of("name", stranger.name);
    manifests.put(manifest, stranger.build(1));
    return new FilterQuestion(
        AskedPod.of(uid(stranger.name), key(stranger.name), manifest),
        NodeNames.of(names(nodes)),
        false);
  }

  public static List<NodeName> names(String... nodes) {
    return Arrays.stream(nodes).map(NodeName::new).toList();
  }
}
