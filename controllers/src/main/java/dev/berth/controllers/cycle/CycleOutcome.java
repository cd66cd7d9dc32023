package dev.berth.controllers.cycle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;

/// What one cycle came to.
///
/// @param waits every group that waits, and why
/// @param staleSince groups that run below their minimum, and since when
/// @param endings groups that are evicted soon for their max-runtime, and when
/// @param idle groups whose GPUs do nothing
/// @param took time from the snapshot to the last assumption
public record CycleOutcome(
    Snapshot snapshot,
    Plan plan,
    SortedMap<GroupKey, Reason> waits,
    SortedMap<GroupKey, Instant> staleSince,
    SortedMap<GroupKey, RuntimeEnd> endings,
    SortedMap<GroupKey, IdleEnd> idle,
    Duration took) {}
