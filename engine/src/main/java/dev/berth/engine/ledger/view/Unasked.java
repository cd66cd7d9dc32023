package dev.berth.engine.ledger.view;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;

/// A pod whose gate is lifted and whose plan lapsed, and for which kube-scheduler has not asked.
///
/// @param scheduler its `spec.schedulerName`
/// @param refusal what kube-scheduler wrote on it last; empty = nothing
public record Unasked(GroupKey group, PodUid pod, PodKey key, String scheduler, String refusal) {}
