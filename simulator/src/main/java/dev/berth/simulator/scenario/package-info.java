/// Policy cases as files: a cluster, a workload, what must come of it. Reads them, plays them on
/// virtual time with the product that ships, and judges the end. [Product.Factory] makes the
/// product: this package knows its clients alone. May import the engine, the extender, the
/// controllers (not `kube`), and a JSON and YAML reader.
@NullMarked
package dev.berth.simulator.scenario;

import org.jspecify.annotations.NullMarked;
