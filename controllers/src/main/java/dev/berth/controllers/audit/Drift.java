package dev.berth.controllers.audit;

import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;

/// Something about devices that should not be so.
///
/// @param kind what is wrong
/// @param object on which it is told
/// @param sentence with the names and numbers, and what to do
record Drift(Kind kind, Regarding object, String sentence) {
  /// Kinds of drift; the code of the event.
  enum Kind {
    /// More devices of a node are given out than it has.
    DEVICES_OVERCOMMITTED("DevicesOvercommitted"),
    /// Sharers of one device take more than all of it.
    SLOT_OVERFULL("SharedDeviceOverfull"),
    /// A share runs on another device than the one that is held for it.
    DEVICE_NOT_HELD("DeviceNotHeld"),
    /// A share runs, and no holder of its slot has told its device.
    HOLDER_MISSING("HolderMissing"),
    /// A share runs and was never told its device: it sees none.
    DEVICE_UNTOLD("DeviceUntold"),
    /// One device is told by the holders of two slots.
    DEVICE_TOLD_TWICE("DeviceToldTwice"),
    /// A holder that can never be used is there still: its node, or the number of its slot, is
    /// gone.
    HOLDER_ORPHANED("HolderOrphaned");

    private final String code;

    Kind(String code) {
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  static Drift at(Kind kind, NodeName node, String sentence) {
    var object = new Regarding("v1", "Node", "", node.value(), node.value());
    return new Drift(kind, object, sentence);
  }

  static Drift of(Kind kind, Pod pod, String sentence) {
    return new Drift(kind, regarding(pod), sentence);
  }

  private static Regarding regarding(Pod pod) {
    return new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value());
  }

  /// The same trouble, whatever its numbers are by now.
  String key() {
    return kind + " " + object.kind() + " " + object.uid();
  }
}
