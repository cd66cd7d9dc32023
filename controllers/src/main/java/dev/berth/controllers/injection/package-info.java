/// Proves, before a node gets its first share, that a container there sees the GPU that it is given
/// and no other, and keeps the runtime class of shares (decision 20). May import the engine,
/// `client` and `loop`.
@NullMarked
package dev.berth.controllers.injection;

import org.jspecify.annotations.NullMarked;
