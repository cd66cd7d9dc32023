/// Where a pod can go, and where best: one member, one block, one domain. Reads the session's room
/// and changes it only through the statement it is given; keeps no state but what can be rebuilt
/// from the room. May import `engine.model` and `engine.session`.
@NullMarked
package dev.berth.engine.placement;

import org.jspecify.annotations.NullMarked;
