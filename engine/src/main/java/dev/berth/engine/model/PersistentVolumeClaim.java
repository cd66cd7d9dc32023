package dev.berth.engine.model;

/// A PersistentVolumeClaim, as far as it says where its pod may be.
///
/// @param version resourceVersion of the object; later is larger
/// @param volume the PersistentVolume that it is bound to, or is to be; empty = none yet
/// @param storageClass empty = none
/// @param selectedNode where kube-scheduler wants its volume provisioned; none = nowhere yet
/// @param onePod one pod at a time may use it (`ReadWriteOncePod`)
public record PersistentVolumeClaim(
    Key key,
    long version,
    State state,
    String volume,
    String storageClass,
    NodeName selectedNode,
    boolean onePod) {

  public enum State {
    BOUND,
    NOT_BOUND,
    /// Its volume is gone.
    LOST,
    /// It is being deleted, and was bound before.
    DELETED,
    /// It is being deleted, and is not bound, whatever volume it names.
    DELETED_UNBOUND
  }

  /// Namespace and name.
  public record Key(String namespace, String name) {}

  /// Another sighting that says the same says it in this version.
  public PersistentVolumeClaim in(long other) {
    return new PersistentVolumeClaim(key, other, state, volume, storageClass, selectedNode, onePod);
  }
}
