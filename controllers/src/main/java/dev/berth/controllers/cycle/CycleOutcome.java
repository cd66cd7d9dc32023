package dev.berth.controllers.cycle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;

/// What one cycle came to.
///
/// @param waits every group that waits, and why
/// @param staleSince groups that run below their minimum, and since when
/// @param took time from the snapshot to the last assumption
public record CycleOutcome(
    Snapshot snapshot,
    Plan plan,
    SortedMap<GroupKey, Reason> waits,
    SortedMap<GroupKey, Instant> staleSince,
    Duration took) {}
