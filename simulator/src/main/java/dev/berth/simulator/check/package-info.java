/// The invariants: what must hold after every event, whatever went wrong before. Judged from API
/// objects alone, without a word from Berth's memory. May import `simulator.world` and the engine's
/// model.
@NullMarked
package dev.berth.simulator.check;

import org.jspecify.annotations.NullMarked;
