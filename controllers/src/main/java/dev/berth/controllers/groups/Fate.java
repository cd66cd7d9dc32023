package dev.berth.controllers.groups;

import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Instant;

/// What ends a group that runs, though no other group needs its room.
///
/// @param staleSince when it fell below its minimum; `EPOCH` = it has not
/// @param ending for its max-runtime, of a group that is near it; else [RuntimeEnd#NONE]
/// @param idle that its GPUs do nothing
record Fate(Instant staleSince, RuntimeEnd ending, IdleEnd idle) {
  /// Nothing does.
  static final Fate NONE = new Fate(Instant.EPOCH, RuntimeEnd.NONE, IdleEnd.NONE);
}
