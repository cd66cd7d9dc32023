package dev.berth.engine.explain;

import dev.berth.engine.model.Reason;

/// What volumes wait for.
final class VolumeSentences {
  private VolumeSentences() {}

  static String volume(Reason.VolumeNotReady waits) {
    var volume = waits.volume();
    String claim = "PersistentVolumeClaim " + volume.claim();
    String ofPod = claim + " of pod " + waits.pod();
    return switch (volume.lack()) {
      case MISSING ->
          volume.ephemeral()
              ? ofPod + " is still to be made"
              : "pod " + waits.pod() + " names " + claim + ", which does not exist";
      case NOT_BOUND ->
          (ofPod + " has no volume yet, and ")
              + (volume.storageClass().isEmpty()
                  ? "names no StorageClass and got no default one"
                  : "StorageClass " + volume.storageClass() + " is not WaitForFirstConsumer");
      case NO_CLASS ->
          (ofPod + " has no volume yet, and StorageClass " + volume.storageClass())
              + ", which it names, does not exist";
      case NO_FREE_VOLUME ->
          (ofPod + " has no volume yet; StorageClass " + volume.storageClass())
              + " makes none, and no PersistentVolume of it is free";
      case NAMES_VOLUME -> ofPod + " names its volume and is not bound to it yet";
      case NO_VOLUME -> ofPod + " is bound to a volume that does not exist";
      case LOST -> ofPod + " has lost its volume";
      case DELETED -> ofPod + " is being deleted";
      case OTHER_POD ->
          (ofPod + " is ReadWriteOncePod: one pod at a time may use it, and another one ")
              + "does or comes first";
      case NONE, TO_COME -> throw new IllegalArgumentException(ofPod + " lacks nothing");
    };
  }

  static String helpsVolume(Reason.VolumeNotReady waits) {
    var volume = waits.volume();
    return switch (volume.lack()) {
      case MISSING ->
          volume.ephemeral()
              ? "nothing to do: kube-controller-manager makes it"
              : "a PersistentVolumeClaim " + volume.claim() + ", or a new pod that names another";
      case NO_CLASS ->
          "a StorageClass " + volume.storageClass() + ", or a new pod with another claim";
      case NO_FREE_VOLUME ->
          ("a PersistentVolume of StorageClass " + volume.storageClass())
              + ", or a new pod with another claim";
      case NOT_BOUND ->
          volume.storageClass().isEmpty()
              ? "a claim that names a StorageClass, a default StorageClass, or a PersistentVolume"
                  + " for it"
              : "a volume for it: kubectl describe pvc tells why it has none";
      case NAMES_VOLUME -> "that volume: kubectl describe pvc tells why it is not bound";
      case NO_VOLUME, LOST, DELETED -> "a new pod with another PersistentVolumeClaim";
      case OTHER_POD ->
          ("that pod's end (kubectl describe pvc names the pods of a claim), a claim for each pod,"
                  + " ")
              + "or one that several may use";
      case NONE, TO_COME -> "";
    };
  }
}
