/// Who leads: one of several processes, by a Lease. Promises that nobody writes whose lease may be
/// another's by now. May import the engine, `crd`, `client` and `loop`; knows no other controller.
@NullMarked
package dev.berth.controllers.lease;

import org.jspecify.annotations.NullMarked;
