package dev.berth.controllers.groups;

import dev.berth.controllers.groups.StatusOf.Words;
import dev.berth.engine.model.Reason;
import java.util.function.Function;

/// Why the pods of a group wait. Two are the same if their reasons are: the sentence is made when
/// it is told.
///
/// @param group of the PodGroup object that tells of all of them; empty = there is none
record Why(Reason reason, String group) {
  String code() {
    return reason.code();
  }

  boolean isWarning() {
    return Words.isWarning(reason);
  }

  /// @param sentences a reason made a sentence
  String sentence(Function<Reason, String> sentences) {
    return sentences.apply(reason) + (group.isEmpty() ? "" : " (PodGroup " + group + ")");
  }
}
