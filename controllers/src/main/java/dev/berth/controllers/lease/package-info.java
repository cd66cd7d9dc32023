/// Leader election: one of several processes leads, by a Lease. Promises that no process writes
/// when the lease may be another's. May import the engine, `crd`, `client` and `loop`; knows no
/// other controller.
@NullMarked
package dev.berth.controllers.lease;

import org.jspecify.annotations.NullMarked;
