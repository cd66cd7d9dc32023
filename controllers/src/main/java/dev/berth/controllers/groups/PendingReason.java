package dev.berth.controllers.groups;

import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.util.function.Function;

/// Why the pods of a group wait. Two are the same if their reasons are: the sentence is made when
/// it is told.
///
/// @param group of the PodGroup object that tells of all of them; empty = there is none
/// @param byDefault the default queue that stops it, as it names none; none = it does not
/// @param unknownClass the PriorityClass that is named and does not exist; empty = none
/// @param lowest what lowers the priority of the group below that of other pods of it; empty = they
///   all have the same
/// @param below what happens to members that run, as too few do; empty = enough do, or none
record PendingReason(
    Reason reason,
    String group,
    QueueName byDefault,
    String unknownClass,
    String lowest,
    String below) {
  PendingReason(Reason reason, String group) {
    this(reason, group, QueueName.NONE, "", "", "");
  }

  String code() {
    return reason.code();
  }

  /// Whether it differs in numbers alone: what fails is no such difference to what goes on, nor is
  /// another object that lacks, obstacle on nodes or configured bound, or the end of those that
  /// run.
  boolean isOfKind(PendingReason other) {
    return hasCodeOf(other)
        && ReasonSubject.of(reason).equals(ReasonSubject.of(other.reason))
        && below.isEmpty() == other.below.isEmpty();
  }

  boolean hasCodeOf(PendingReason other) {
    return code().equals(other.code()) && isWarning() == other.isWarning();
  }

  /// False = it starts by itself, as usual.
  boolean isWarning() {
    return !(reason instanceof Reason.Starting starting && starting.wayOut().isEmpty());
  }

  /// @param sentences a reason made a sentence
  String sentence(Function<Reason, String> sentences) {
    return words(sentences) + (group.isEmpty() ? "" : " (PodGroup " + group + ")");
  }

  /// The same without the name of the PodGroup.
  String words(Function<Reason, String> sentences) {
    String mixed =
        lowest.isEmpty()
            ? ""
            : " Its pods have different priorities and the lowest counts, " + lowest + ".";
    return sentences.apply(reason)
        + WaitSentences.besides(byDefault, unknownClass)
        + mixed
        + (below.isEmpty() ? "" : " Besides, " + below);
  }
}
