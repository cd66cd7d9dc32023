/// The state of a run that peers decide on: free capacity by node and GPU, and where a pod goes.
/// One thread per cluster. May import `bench.trace`.
@NullMarked
package dev.berth.bench.cluster;

import org.jspecify.annotations.NullMarked;
