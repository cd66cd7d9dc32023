/// Watches become facts: each object is read by the engine's one parser and recorded in the ledger,
/// in the order of its kind. One object that cannot be read stops nothing: it is told once, and
/// what Berth believed of it before stays. May import the engine, `client` and `loop`.
@NullMarked
package dev.berth.controllers.intake;

import org.jspecify.annotations.NullMarked;
