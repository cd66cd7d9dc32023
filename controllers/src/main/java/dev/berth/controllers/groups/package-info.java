/// PodGroup objects: made for workloads that are gangs, and their status and events kept true.
/// Writes only what changed. May import the engine, `crd`, `client` and `loop`.
@NullMarked
package dev.berth.controllers.groups;

import org.jspecify.annotations.NullMarked;
