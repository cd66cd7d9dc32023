package dev.berth.engine.request;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PersistentVolumeClaim.State;
import dev.berth.engine.model.StorageClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The objects that say where the volumes of pods are: `v1` PersistentVolumeClaim and
/// PersistentVolume, `storage.k8s.io/v1` StorageClass. Each is empty only for a tree without
/// `metadata.name`.
///
/// A reader of them from a watch needs these fields and no others: of a claim
/// `metadata.deletionTimestamp` and `annotations`, `spec` {volumeName, storageClassName,
/// accessModes}, `status.phase`; of a volume `metadata.deletionTimestamp`, `spec` {nodeAffinity,
/// storageClassName, claimRef}, `status.phase`; of a class `provisioner`, `volumeBindingMode` and
/// `allowedTopologies`.
public final class VolumeManifests {
  /// Written by the controller that binds, when it has; kube-scheduler goes by it.
  private static final String BOUND = "pv.kubernetes.io/bind-completed";

  /// Where classes were named before there was a field.
  private static final String STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

  /// Written by kube-scheduler, before the volume is provisioned for the pod's node.
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
  private static final String ONE_POD = "ReadWriteOncePod";

  private VolumeManifests() {}

  public static Optional<PersistentVolumeClaim> claim(Map<?, ?> tree) {
    return Manifest.open(tree).map(VolumeManifests::claim);
  }

  private static PersistentVolumeClaim claim(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec();
    return new PersistentVolumeClaim(
        new PersistentVolumeClaim.Key(head.namespace(), head.name()),
        head.version(),
        state(manifest),
        spec.text("volumeName"),
        head.annotations().has(STORAGE_CLASS)
            ? head.annotations().text(STORAGE_CLASS)
            : spec.text("storageClassName"),
        new NodeName(head.annotations().text(SELECTED_NODE)),
        spec.texts("accessModes").contains(ONE_POD));
  }

  private static State state(Manifest manifest) {
    boolean isBound =
        !manifest.spec().text("volumeName").isEmpty() && manifest.head().annotations().has(BOUND);
    if (manifest.head().metadata().has("deletionTimestamp")) {
      return isBound ? State.DELETED : State.DELETED_UNBOUND;
    }
    if (manifest.status().text("phase").equals("Lost")) {
      return State.LOST;
    }
    return isBound ? State.BOUND : State.NOT_BOUND;
  }

  public static Optional<PersistentVolume> volume(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(manifest ->
            new PersistentVolume(
                manifest.head().name(),
                manifest.head().version(),
                nodes(manifest),
                manifest.spec().text("storageClassName"),
                isLeft(manifest) ? Optional.empty() : claim(manifest.spec().object("claimRef")),
                isAvailable(manifest)));
  }

  /// Its claim is gone, and `claimRef` stays: another claim of that name does not get it.
  private static boolean isLeft(Manifest manifest) {
    String phase = manifest.status().text("phase");
    return phase.equals("Released") || phase.equals("Failed");
  }

  /// A file may leave the status out; the API server never does.
  private static boolean isAvailable(Manifest manifest) {
    String phase = manifest.status().text("phase");
    return (phase.isEmpty() || phase.equals("Available"))
        && !manifest.head().metadata().has("deletionTimestamp");
  }

  private static Optional<PersistentVolumeClaim.Key> claim(ManifestTree reference) {
    var key = new PersistentVolumeClaim.Key(reference.text("namespace"), reference.text("name"));
    return Optional.of(key).filter(each -> !each.name().isEmpty());
  }

  /// Where it names more than can be judged, kube-scheduler alone judges it.
  private static List<Term> nodes(Manifest manifest) {
    var terms = NodeRequirements.terms(manifest.spec().object("nodeAffinity").object("required"));
    return manifest.problems().list().isEmpty() ? terms : List.of();
  }

  public static Optional<StorageClass> storageClass(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(manifest ->
            new StorageClass(
                manifest.head().name(),
                manifest.head().version(),
                manifest.root().text("volumeBindingMode").equals("WaitForFirstConsumer"),
                !manifest.root().text("provisioner").equals(NO_PROVISIONER),
                topologies(manifest.root())));
  }

  private static List<Term> topologies(ManifestTree storageClass) {
    var terms = new ArrayList<Term>();
    for (ManifestTree topology : storageClass.objects("allowedTopologies")) {
      var expressions = new ArrayList<Expression>();
      for (ManifestTree label : topology.objects("matchLabelExpressions")) {
        expressions.add(
            new Expression(false, label.text("key"), Operator.IN, label.texts("values")));
      }
      terms.add(new Term(expressions));
    }
    return terms;
  }
}
