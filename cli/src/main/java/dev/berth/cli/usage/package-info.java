/// GPU-hours from a decision log: which pods held which GPUs and when, added up by queue, namespace
/// and more. They are made of the snapshots of the log alone; what the log does not show is told,
/// and not estimated.
@NullMarked
package dev.berth.cli.usage;

import org.jspecify.annotations.NullMarked;
