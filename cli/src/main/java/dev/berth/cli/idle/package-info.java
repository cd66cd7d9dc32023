/// GPUs that workloads hold and hardly use: what Prometheus says of GPUs, joined with what is in
/// the cluster. Asks one server, and changes nothing.
@NullMarked
package dev.berth.cli.idle;

import org.jspecify.annotations.NullMarked;
