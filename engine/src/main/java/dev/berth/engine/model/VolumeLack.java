package dev.berth.engine.model;

/// Why a claim on a volume keeps its pod from every node.
public enum VolumeLack {
  /// Nothing is known to.
  NONE,
  /// Nothing does: its volume is made once its pod has a node.
  TO_COME,
  /// There is no such claim.
  MISSING,
  /// It has no volume, and waits for no pod to get one.
  NOT_BOUND,
  /// It has no volume, and its class does not exist.
  NO_CLASS,
  /// It has no volume, its class makes none, and no volume of that is free.
  NO_FREE_VOLUME,
  /// It names a volume and is not bound to it: it waits for no pod either.
  NAMES_VOLUME,
  /// It is bound to a volume that does not exist.
  NO_VOLUME,
  /// Its volume is gone.
  LOST,
  /// It is being deleted.
  DELETED,
  /// One pod at a time may use it, and that is another one.
  OTHER_POD;

  /// Whether no node takes the pod.
  public boolean keepsFromAllNodes() {
    return this != NONE && this != TO_COME;
  }
}
