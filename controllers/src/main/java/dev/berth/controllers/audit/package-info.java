/// Looks now and then whether what Berth believes of devices is what kubelets admitted, and says
/// where it is not. Touches nothing. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.audit;

import org.jspecify.annotations.NullMarked;
