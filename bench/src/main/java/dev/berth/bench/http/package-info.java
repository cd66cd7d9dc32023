/// Berth as it ships, asked over HTTP: the joined product on virtual time and an API server in
/// memory, its extender on a loopback port, and a client that asks as kube-scheduler does. Objects
/// belong to the thread that made them; only the extender's own threads run beside it. May import
/// `bench.cluster`, `bench.ours`, `bench.packing`, the product and the simulator.
@NullMarked
package dev.berth.bench.http;

import org.jspecify.annotations.NullMarked;
