package dev.berth.engine.model;

/// Kinds of objects that tell of the volumes of pods.
public enum VolumeKind {
  /// PersistentVolumeClaim.
  CLAIM,
  /// PersistentVolume.
  VOLUME,
  /// StorageClass.
  CLASS
}
