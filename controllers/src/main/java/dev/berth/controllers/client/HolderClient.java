package dev.berth.controllers.client;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods: named deterministically by node and slot, so that a retry collides.
public interface HolderClient {
  /// Where they live: a pod of another namespace is no holder, whatever its labels say.
  String namespace();

  /// Creates the holder of a slot. Exists already is success; exists and is leaving is `NOT_NOW`.
  void create(NodeName node, int slot, Resource device) throws ClientException;

  /// Deletes that incarnation. Gone already is success.
  void delete(PodKey holder, PodUid uid) throws ClientException;
}
