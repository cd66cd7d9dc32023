/// Shows autoscalers what waits for capacity that a new node could give; what waits for its quota,
/// for its members or for room that comes free stays behind its gate, where no autoscaler sees it.
/// May import the engine, `crd`, `client` and `loop`.
@NullMarked
package dev.berth.controllers.autoscaling;

import org.jspecify.annotations.NullMarked;
