/// Holder pods keep shared devices from the kubelet: created when a slot is planned, deleted when
/// it is unused. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.holders;

import org.jspecify.annotations.NullMarked;
