/// Reads the objects of KAI Scheduler in place, as if they were Berth's; nothing of it is ever
/// written. Pure functions say what an object of theirs means in the words of Berth, and one class
/// decides which counts where both are there. May import the engine, `crd`, `client` and `loop`.
@NullMarked
package dev.berth.controllers.kai;

import org.jspecify.annotations.NullMarked;
