/// Owners become groups: climbs from each pod to the object that says what it belongs to, tells the
/// ledger, and keeps a PodGroup for each gang. Reads only what is needed, and only what Berth may
/// read: an owner that may not be read ends the chain below it. May import the engine, `crd`,
/// `client` and `loop`.
@NullMarked
package dev.berth.controllers.grouping;

import org.jspecify.annotations.NullMarked;
