package dev.berth.controllers.injection;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.injection.ProbeResult.Outcome;
import dev.berth.controllers.loop.CoalescedTask;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.injection.InjectionGuess;
import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.injection.InjectionSigns;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.Unproven;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the ledger how the containers of each node get the GPU of their share.
///
/// 1. What excludes shares on a node (replicas, MIG, no handler for the runtime class …) is told at
///    once, from the node's object and the cluster's.
/// 2. Else the node's finished probe pod counts, if its signs are those of the node now.
/// 3. Else, once a holder of the node has told its GPU, a probe is created for the first mode of
///    the guess, then for the next one, until a probe sees the held GPU and no other. Where all
///    fail, the fault of the first is told, and all is tried again after a while. One whose image
///    cannot be pulled says nothing about its mode: that is told, and its kubelet goes on trying.
///
/// All that is remembered stands in the probe pods, so a restart goes on from there. Cheap for
/// objects that did not change; any thread.
public final class Probes {
  private static final Logger LOG = LoggerFactory.getLogger(Probes.class);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);

  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(5));

  private final LedgerHolders ledger;
  private final ProbeClient pods;
  private final ProbeAttempts attempts;
  private final Freshness fresh;
  private final Workers workers;
  private final InjectionSettings settings;
  private final KeyedLoop<NodeName> loop;
  private final KeyedLoop<String> classes;
  private final CoalescedTask look;

  // All guarded by this.
  private final TreeMap<NodeName, GpuNode> nodes = new TreeMap<>();
  private final TreeMap<NodeName, ProbeResult> results = new TreeMap<>();
  private final TreeMap<PodUid, ProbeResult> replaced = new TreeMap<>();

  /// The mode that was proven last on a node, whatever has changed there since.
  private final TreeMap<NodeName, InjectionMode> proven = new TreeMap<>();

  private final Map<Kind, TreeMap<String, Map<String, ?>>> objects = new TreeMap<>();
  private GpuStack stack = GpuStack.of(List.of(), List.of(), List.of());
  private String runtimeClass = "";

  public Probes(
      LedgerHolders ledger,
      ProbeClient pods,
      Freshness fresh,
      Workers workers,
      InjectionSettings settings) {
    this.ledger = ledger;
    this.pods = pods;
    this.attempts = new ProbeAttempts(pods);
    this.fresh = fresh;
    this.workers = workers;
    this.look = new CoalescedTask(workers, this::look);
    this.settings = settings;
    this.loop = new KeyedLoop<>("probes", workers, PACE, this::reconcile);
    this.classes = new KeyedLoop<>("runtime class of shares", workers, PACE, this::writeClass);
    this.runtimeClass = settings.runtimeClass().orElse("");
  }

  /// Everything is delivered, and this process leads.
  public void start() {
    classes.add("");
    changed();
  }

  public void seen(Kind kind, Map<String, ?> object) {
    switch (kind) {
      case NODE -> node(GpuNode.of(object));
      case POD -> {
        if (ProbeResult.isProbe(object, pods.namespace())) {
          result(ProbeResult.of(object));
        }
      }
      case RUNTIME_CLASS, CLUSTER_POLICY, GPU_CLUSTER -> stack(kind, object, false);
      default -> {} // says nothing of injection
    }
  }

  /// Labels are words that tenants can write, too.
  public void gone(Kind kind, Map<String, ?> object) {
    switch (kind) {
      case NODE -> nodeGone(new NodeName(GpuNode.of(object).name()));
      case POD -> {
        if (ProbeResult.isProbe(object, pods.namespace())) {
          resultGone(ProbeResult.of(object));
        }
      }
      case RUNTIME_CLASS, CLUSTER_POLICY, GPU_CLUSTER -> stack(kind, object, true);
      default -> {} // says nothing of injection
    }
  }

  /// The ledger changed: a holder may have told its GPU.
  public void changed() {
    look.trigger(SOON);
  }

  private void look() {
    ledger.unproven().forEach(waiting -> loop.add(waiting.slot().node()));
  }

  private void node(GpuNode node) {
    var name = new NodeName(node.name());
    if (node.gpus() == 0 && node.migDevices() == 0) {
      return; // while its device plugin is away, what was known of it stays
    }
    synchronized (this) {
      if (node.equals(nodes.put(name, node))) {
        return;
      }
    }
    reconsiderClass();
    loop.add(name);
    tell(name);
  }

  private void nodeGone(NodeName name) {
    synchronized (this) {
      nodes.remove(name);
      proven.remove(name);
    }
    attempts.forget(name);
    ledger.injection(name, Injection.ASSUMED);
  }

  /// The latest attempt of a node counts; one that it replaces is deleted.
  private void result(ProbeResult result) {
    synchronized (this) {
      if (result.outcome() instanceof Outcome.Proven) {
        InjectionMode.of(result.mode()).ifPresent(mode -> proven.put(result.node(), mode));
      }
      var known = results.get(result.node());
      if (known != null && known.uid().equals(result.uid())) {
        if (result.isSameAs(known)) {
          return;
        }
        results.put(result.node(), result);
      } else if (known != null && result.isBefore(known)) {
        replaced.put(result.uid(), result);
      } else {
        results.put(result.node(), result);
        if (known != null) {
          replaced.put(known.uid(), known);
        }
      }
    }
    tell(result.node());
    loop.add(result.node());
  }

  private void resultGone(ProbeResult result) {
    synchronized (this) {
      replaced.remove(result.uid());
      results.computeIfPresent(
          result.node(), (_, now) -> now.uid().equals(result.uid()) ? null : now);
    }
    tell(result.node());
    loop.add(result.node());
  }

  private void stack(Kind kind, Map<String, ?> object, boolean gone) {
    String name =
        object.get("metadata") instanceof Map<?, ?> metadata
            ? String.valueOf(metadata.get("name"))
            : "";
    synchronized (this) {
      var all = objects.computeIfAbsent(kind, _ -> new TreeMap<>());
      if (gone) {
        all.remove(name);
      } else {
        all.put(name, object);
      }
      var next =
          GpuStack.of(all(Kind.CLUSTER_POLICY), all(Kind.GPU_CLUSTER), all(Kind.RUNTIME_CLASS));
      if (next.equals(stack)) {
        return;
      }
      stack = next;
    }
    reconsiderClass();
    tellAll();
  }

  private List<Map<String, ?>> all(Kind kind) {
    return List.copyOf(objects.getOrDefault(kind, new TreeMap<>()).values());
  }

  private void reconsiderClass() {
    synchronized (this) {
      String next =
          settings
              .runtimeClass()
              .orElseGet(() -> InjectionGuess.runtimeClass(stack, nodes.values()));
      if (next.equals(runtimeClass)) {
        return;
      }
      runtimeClass = next;
    }
    classes.add("");
    tellAll();
  }

  private void tellAll() {
    List<NodeName> all;
    synchronized (this) {
      all = List.copyOf(nodes.keySet());
    }
    for (NodeName name : all) {
      tell(name);
      loop.add(name);
    }
  }

  /// What is known of a node now.
  private void tell(NodeName name) {
    view(name).ifPresent(view -> ledger.injection(name, view.injection()));
  }

  private synchronized Optional<NodeInjection> view(NodeName name) {
    var node = nodes.get(name);
    if (node == null) {
      return Optional.empty();
    }
    var guess = InjectionGuess.of(node, stack, runtimeClass);
    return Optional.of(
        new NodeInjection(
            name,
            guess,
            settings.injection().map(List::of).orElseGet(() -> modes(name, guess)),
            InjectionSigns.of(node, stack).hash(),
            Optional.ofNullable(results.get(name))));
  }

  /// First the mode that was proven last on the node. NVIDIA's NRI plugin may run though no
  /// ClusterPolicy says so; it has no runtime class.
  private synchronized List<InjectionMode> modes(NodeName node, InjectionGuess guess) {
    var modes = new ArrayList<>(guess.modes());
    if (!modes.isEmpty() && guess.runtimeClass().isEmpty() && !modes.contains(InjectionMode.NRI)) {
      modes.add(InjectionMode.NRI);
    }
    var before = proven.get(node);
    if (before != null && modes.remove(before)) {
      modes.addFirst(before);
    }
    return modes;
  }

  private synchronized List<ProbeResult> replaced(NodeName name) {
    return replaced.values().stream().filter(old -> old.node().equals(name)).toList();
  }

  private Next reconcile(NodeName name) throws ClientException {
    Instant now = workers.time().instant();
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    tell(name);
    for (ProbeResult old : replaced(name)) {
      pods.delete(old.key(), old.uid());
    }
    var found = view(name);
    var waiting =
        ledger.unproven().stream().filter(each -> each.slot().node().equals(name)).findFirst();
    boolean cordoned = ledger.node(name).filter(Node::unschedulable).isPresent();
    if (found.isEmpty() || found.get().modes().isEmpty() || cordoned) {
      return Next.done(); // nothing is planned onto a cordoned node, so nothing waits for a proof
    }
    NodeInjection view = found.get();
    var result = view.result();
    if (result.isEmpty()) {
      return waiting.isEmpty()
          ? Next.done()
          : attempts.attempt(view, view.modes().getFirst(), waiting.get().uuid(), "", now);
    }
    ProbeResult probe = result.get();
    if (!view.isCurrent(probe)) {
      return waiting.isEmpty() ? Next.done() : clear(probe);
    }
    return switch (probe.outcome()) {
      case Outcome.Proven() -> Next.done();
      case Outcome.Running() -> overdue(view, probe, waiting, now);
      case Outcome.Blocked _ -> again(probe, now);
      case Outcome.Failed(InjectionFault fault) -> failed(view, probe, fault, waiting, now);
    };
  }

  /// One that neither ends nor says why has failed.
  private Next overdue(
      NodeInjection view, ProbeResult probe, Optional<Unproven> waiting, Instant now)
      throws ClientException {
    Instant end = probe.created().plus(settings.probeTimeout());
    if (end.isAfter(now)) {
      return Next.at(end);
    }
    synchronized (this) {
      results.replace(view.name(), probe, probe.overdue(settings.probeTimeout()));
    }
    tell(view.name());
    return failed(view, probe, InjectionFault.NO_DEVICE_SEEN, waiting, now);
  }

  private Next failed(
      NodeInjection view,
      ProbeResult probe,
      InjectionFault fault,
      Optional<Unproven> waiting,
      Instant now)
      throws ClientException {
    var next = view.next(probe);
    if (next.isEmpty()) {
      return again(probe, now);
    }
    if (waiting.isEmpty()) {
      return Next.done();
    }
    LOG.atInfo()
        .addKeyValue("node", view.name())
        .addKeyValue("mode", probe.mode())
        .addKeyValue("fault", fault.code())
        .addKeyValue("words", probe.words())
        .log("probe failed, tries the next mode");
    String failures = (probe.failed() + " " + probe.mode() + "=" + fault.code()).trim();
    return attempts.attempt(view, next.get(), waiting.get().uuid(), failures, now);
  }

  /// All is tried again after a while.
  private Next again(ProbeResult probe, Instant now) throws ClientException {
    Instant again = probe.created().plus(settings.probeRetry());
    return again.isAfter(now) ? Next.at(again) : clear(probe);
  }

  private Next clear(ProbeResult probe) throws ClientException {
    pods.delete(probe.key(), probe.uid());
    return Next.done(); // its end is seen, and leads here again
  }

  private Next writeClass(String ignored) throws ClientException {
    if (!fresh.isFresh()) {
      return Next.at(workers.time().instant().plus(UNTIL_FRESH));
    }
    String now;
    synchronized (this) {
      now = runtimeClass;
    }
    pods.runtimeClass(now);
    return Next.done();
  }
}
