/// The client to a real API server: watches in, writes out. It decides nothing, and every write may
/// be repeated; any thread may call, and a call blocks it. May import `engine.model`, `crd`,
/// `client`, a JSON reader and, alone in the whole tree, the Kubernetes client.
@NullMarked
package dev.berth.controllers.kube;

import org.jspecify.annotations.NullMarked;
