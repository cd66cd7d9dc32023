/// `berth bench stock`: the packing runs as a stock kube-scheduler applies them to an extender,
/// with sampled nodes, scores 0 … 10 and random ties. May import all of the module but commands.
@NullMarked
package dev.berth.bench.stock;

import org.jspecify.annotations.NullMarked;
