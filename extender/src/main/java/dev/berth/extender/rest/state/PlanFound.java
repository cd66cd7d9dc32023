package dev.berth.extender.rest.state;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import java.time.Instant;
import java.util.SortedMap;

/// What one planning cycle came to. The maps are not changed any more.
///
/// @param waits every group that waits, and why
/// @param staleSince groups that run below their minimum, and since when
public record PlanFound(
    Plan plan, SortedMap<GroupKey, Reason> waits, SortedMap<GroupKey, Instant> staleSince) {}
