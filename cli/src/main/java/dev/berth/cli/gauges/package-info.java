/// What `/metrics` tells of the cluster, as numbers under names: from the last snapshot, plan and
/// accounts, brought up to date when they are read. What did not change is not looked at again.
/// Knows the engine's model and the cycle's outcome; no client of metrics, no clock, no threads but
/// one lock.
@NullMarked
package dev.berth.cli.gauges;

import org.jspecify.annotations.NullMarked;
