/// Tables of what is in a cluster: queues, workloads, GPUs. They are made of a snapshot of the
/// ledger and of one plan over it, wherever the objects came from.
@NullMarked
package dev.berth.cli.lists;

import org.jspecify.annotations.NullMarked;
