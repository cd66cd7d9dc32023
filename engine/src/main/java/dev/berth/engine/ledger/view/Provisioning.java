package dev.berth.engine.ledger.view;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PodUid;

/// A planned pod whose volume is being provisioned.
///
/// @param group that it belongs to
/// @param node for which kube-scheduler wants the volume
public record Provisioning(
    GroupKey group,
    PodUid pod,
    PersistentVolumeClaim.Key claim,
    String storageClass,
    NodeName node) {}
