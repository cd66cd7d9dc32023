package dev.berth.controllers.intake;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.Watcher;
import dev.berth.engine.ledger.LedgerFacts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.VolumeKind;
import dev.berth.engine.request.ClaimManifest;
import dev.berth.engine.request.DeviceClassManifest;
import dev.berth.engine.request.DisruptionBudgetManifest;
import dev.berth.engine.request.GroupManifest;
import dev.berth.engine.request.JobManifest;
import dev.berth.engine.request.NamespaceManifest;
import dev.berth.engine.request.NodeManifest;
import dev.berth.engine.request.NumaManifest;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.PriorityClassManifest;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.SliceManifest;
import dev.berth.engine.request.TopologyManifest;
import dev.berth.engine.request.VolumeManifests;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Turns what watches deliver into facts, on the thread that delivers it. A kind is synced when its
/// first list is in the ledger.
public final class Intake implements Watcher {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);
  private static final String STAYS = "; what was known of it stays";
  private static final String NAMELESS = "it has no name" + STAYS;
  private static final String CLOSES = "; until it is, nothing more is planned on its node";

  private final LedgerFacts ledger;
  private final Metrics metrics;
  private final String holders;
  private final Function<Map<String, ?>, Optional<Pod>> pods;
  private final CompletableFuture<Void> whenSynced = new CompletableFuture<>();

  /// Objects that could not be read when last seen.
  private final ConcurrentSkipListSet<String> unreadable = new ConcurrentSkipListSet<>();

  /// Guarded by itself.
  private final Set<Kind> awaited;

  /// @param kinds those that are watched: all of them must deliver before Berth is synced
  /// @param holders namespace of Berth's holders: any tenant can write a label
  /// @param pods reads a pod
  public Intake(
      LedgerFacts ledger,
      Collection<Kind> kinds,
      Metrics metrics,
      String holders,
      Function<Map<String, ?>, Optional<Pod>> pods) {
    this.ledger = ledger;
    this.holders = holders;
    this.pods = pods;
    this.metrics = metrics;
    this.awaited = EnumSet.copyOf(kinds);
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    take(kind, object, false);
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    take(kind, object, true);
  }

  @Override
  public void readable(Kind kind, boolean isReadable) {
    switch (kind) {
      case VOLUME_CLAIM -> ledger.record(new Fact.VolumesRead(VolumeKind.CLAIM, isReadable));
      case VOLUME -> ledger.record(new Fact.VolumesRead(VolumeKind.VOLUME, isReadable));
      case STORAGE_CLASS -> ledger.record(new Fact.VolumesRead(VolumeKind.CLASS, isReadable));
      default -> {} // of others a ledger that knows none says so
    }
  }

  @Override
  public void synced(Kind kind) {
    synchronized (awaited) {
      awaited.remove(kind);
      if (!awaited.isEmpty()) {
        return;
      }
    }
    whenSynced.complete(null);
  }

  public boolean isSynced() {
    return whenSynced.isDone();
  }

  /// Completes when every kind has delivered its first list. A copy: completing it changes nothing.
  public CompletableFuture<Void> whenSynced() {
    return whenSynced.copy();
  }

  /// Kinds that have not delivered yet, for a log or a readiness answer; empty when synced.
  public Set<String> awaited() {
    var names = new TreeSet<String>();
    synchronized (awaited) {
      awaited.forEach(kind -> names.add(kind.plural()));
    }
    return names;
  }

  private void take(Kind kind, Map<String, ?> object, boolean gone) {
    try {
      var flaw = record(kind, object, gone);
      if (flaw.isEmpty()) {
        readable(kind, object);
      } else {
        tell(kind, object, flaw, Optional.empty());
      }
    } catch (RuntimeException internalError) {
      String then = kind == Kind.POD ? CLOSES : STAYS;
      tell(kind, object, internalError.getMessage() + then, Optional.of(internalError));
      if (kind == Kind.POD) {
        closeItsNode(object, gone);
      }
    }
  }

  /// A pod that cannot be read, by a mistake of Berth, may run on any device of its node: it takes
  /// more of it than there is, until it can be read, is over, or is gone.
  private void closeItsNode(Map<String, ?> object, boolean gone) {
    try {
      PodManifest.read(UnreadablePod.of(object)).ifPresent(pod -> pod(pod, gone));
    } catch (RuntimeException again) {
      LOG.atError().setCause(again).log("its node cannot be closed either");
    }
  }

  /// @return why the object could not be read; empty = it could
  private String record(Kind kind, Map<String, ?> object, boolean gone) {
    return switch (kind) {
      case POD -> pods.apply(object).map(pod -> pod(pod, gone)).orElse(NAMELESS);
      case NODE ->
          record(
              NodeManifest.read(object)
                  .map(node ->
                      gone
                          ? new Fact.NodeGone(node.name(), node.version())
                          : new Fact.NodeSeen(node)));
      case NAMESPACE ->
          record(
              NamespaceManifest.read(object)
                  .map(seen -> gone ? new Fact.NamespaceGone(seen.name(), seen.version()) : seen));
      case JOB -> // grouping reads the rest
          record(JobManifest.read(object).map(seen -> gone ? Fact.JobSeen.gone(seen.job()) : seen));
      case PRIORITY_CLASS ->
          record(
              PriorityClassManifest.read(object)
                  .map(seen ->
                      gone ? new Fact.PriorityClassGone(seen.name(), seen.version()) : seen));
      case DISRUPTION_BUDGET ->
          record(
              DisruptionBudgetManifest.read(object)
                  .map(budget ->
                      gone
                          ? new Fact.BudgetGone(budget.key(), budget.version())
                          : new Fact.BudgetSeen(budget)));
      case QUEUE -> {
        if (!gone) {
          QueueManifest.pastUse(object).map(Fact.UsageSeen::new).ifPresent(ledger::record);
        }
        yield record(
            QueueManifest.read(object)
                .map(queue ->
                    gone
                        ? new Fact.QueueGone(queue.name(), queue.version())
                        : new Fact.QueueSeen(queue)));
      }
      case POD_GROUP ->
          record(
              GroupManifest.read(object)
                  .map(group ->
                      gone
                          ? new Fact.GroupGone(group.key(), group.version())
                          : new Fact.GroupSeen(group)));
      case TOPOLOGY ->
          record(
              TopologyManifest.read(object)
                  .map(topology ->
                      gone
                          ? new Fact.TopologyGone(topology.name(), topology.version())
                          : new Fact.TopologySeen(topology)));
      case RESOURCE_CLAIM ->
          record(
              ClaimManifest.read(object)
                  .map(claim ->
                      gone
                          ? new Fact.ClaimGone(claim.key(), claim.version())
                          : new Fact.ClaimSeen(claim)));
      case RESOURCE_SLICE ->
          record(
              SliceManifest.read(object)
                  .map(slice ->
                      gone
                          ? new Fact.SliceGone(slice.name(), slice.version())
                          : new Fact.SliceSeen(slice)));
      case DEVICE_CLASS ->
          record(
              DeviceClassManifest.read(object)
                  .map(seen ->
                      gone
                          ? new Fact.DeviceClassGone(seen.name(), seen.version())
                          : new Fact.DeviceClassSeen(seen)));
      case VOLUME_CLAIM ->
          record(
              VolumeManifests.claim(object)
                  .map(claim ->
                      gone
                          ? new Fact.VolumeClaimGone(claim.key(), claim.version())
                          : new Fact.VolumeClaimSeen(claim)));
      case VOLUME ->
          record(
              VolumeManifests.volume(object)
                  .map(volume ->
                      gone
                          ? new Fact.VolumeGone(volume.name(), volume.version())
                          : new Fact.VolumeSeen(volume)));
      case STORAGE_CLASS ->
          record(
              VolumeManifests.storageClass(object)
                  .map(seen ->
                      gone
                          ? new Fact.StorageClassGone(seen.name(), seen.version())
                          : new Fact.StorageClassSeen(seen)));
      case NODE_RESOURCE_TOPOLOGY ->
          NumaManifest.read(object).map(reading -> numa(reading, gone)).orElse(NAMELESS);
      case RUNTIME_CLASS, CLUSTER_POLICY, GPU_CLUSTER -> ""; // for Probes alone
      case KAI_QUEUE, KAI_POD_GROUP, KAI_TOPOLOGY ->
          throw new IllegalArgumentException("KAI's objects come here as ours");
    };
  }

  private String record(Optional<? extends Fact> fact) {
    fact.ifPresent(ledger::record);
    return fact.isPresent() ? "" : NAMELESS;
  }

  private String pod(Pod pod, boolean gone) {
    boolean isOurs = !pod.isHolder() || pod.key().namespace().equals(holders);
    ledger.record(
        gone
            ? new Fact.PodGone(pod.key(), pod.uid())
            : new Fact.PodSeen(isOurs ? pod : pod.withoutHolding()));
    return "";
  }

  /// One that is invalid takes back what the one before it said.
  private String numa(NumaManifest.Reading reading, boolean gone) {
    var seen = reading.seen();
    ledger.record(gone ? new Fact.NumaGone(seen.node(), seen.version()) : seen);
    return gone || reading.problems().isEmpty()
        ? ""
        : reading.problems().getFirst().on("NodeResourceTopology " + seen.node())
            + " Its node counts as one without NUMA zones.";
  }

  private void readable(Kind kind, Map<String, ?> object) {
    if (!unreadable.isEmpty()) {
      unreadable.remove(key(kind, object));
    }
  }

  private void tell(
      Kind kind, Map<String, ?> object, String why, Optional<RuntimeException> internalError) {
    metrics.unreadable(kind);
    String key = key(kind, object);
    if (unreadable.add(key)) {
      var line = LOG.atError().addKeyValue("object", key).addKeyValue("why", why);
      (internalError.isPresent() ? line.setCause(internalError.get()) : line)
          .log("object not understood");
    }
  }

  private static String key(Kind kind, Map<String, ?> object) {
    if (!(object.get("metadata") instanceof Map<?, ?> metadata)) {
      return kind.plural();
    }
    Object namespace = metadata.get("namespace");
    return kind.plural() + "/" + (namespace == null ? "" : namespace + "/") + metadata.get("name");
  }
}
