/// Records what other schedulers do in a cluster, as a decision log of Berth's format: reads
/// objects, rewrites pods as if they were Berth's, writes snapshots. Nothing is written to the
/// cluster.
@NullMarked
package dev.berth.cli.shadow;

import org.jspecify.annotations.NullMarked;
