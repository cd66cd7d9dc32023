/// `berth doctor`: what of Berth will work on a cluster, what is proven, what is wrong and the way
/// out. `ClusterLook` reads; every check is a pure function from what was read to findings; the
/// reports render them. May import the engine's parsers and the API reader of `controllers.kube`.
@NullMarked
package dev.berth.cli.doctor;

import org.jspecify.annotations.NullMarked;
