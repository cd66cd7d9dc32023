/// Holder pods keep shared devices from the kubelet: created when a slot is planned, collected when
/// nobody uses it any more. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.holders;

import org.jspecify.annotations.NullMarked;
