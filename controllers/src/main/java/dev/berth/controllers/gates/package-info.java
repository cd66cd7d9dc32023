/// One patch per pod: plan on, gate off; the nomination first where it pays. Blocks of a gang are
/// lifted together, and only when their room and their devices are there. May import the engine,
/// `client` and `loop`.
@NullMarked
package dev.berth.controllers.gates;

import org.jspecify.annotations.NullMarked;
