/// Keeps the status of Queue objects. A cycle tells how queues stand, the watch what their objects
/// say of it; only what differs is written. May import the engine, `crd`, `client` and `loop`.
@NullMarked
package dev.berth.controllers.queues;

import org.jspecify.annotations.NullMarked;
