package dev.berth.engine.model;

import java.util.Locale;
import java.util.Optional;

/// What a pod is charged as: settled when its plan is made, and written with it, so that it stays
/// so as long as the pod has a plan or a node. Labels, owners, PodGroups and namespaces are
/// tenants' to edit: what they say later is for pods to come.
///
/// @param queue none = not settled
/// @param preemptibility resolved
public record ChargedTo(QueueName queue, int priority, Preemptibility preemptibility) {
  public static final ChargedTo NONE = new ChargedTo(QueueName.NONE, 0, Preemptibility.PREEMPTIBLE);

  private static final char BETWEEN = '/';

  public boolean isNone() {
    return queue.isNone();
  }

  /// The same for all that are charged alike, whatever their priority.
  public ChargedTo withoutPriority() {
    return new ChargedTo(queue, 0, preemptibility);
  }

  /// `research/50/preemptible`; empty = not settled, or of a queue that no object can be called.
  String text() {
    boolean writable = !isNone() && queue.value().chars().noneMatch(ChargedTo::isSeparator);
    return writable ? queue.value() + BETWEEN + priority + BETWEEN + word(preemptibility) : "";
  }

  private static boolean isSeparator(int each) {
    return each == BETWEEN || each == '=' || Character.isWhitespace(each);
  }

  /// Reads what [#text] wrote.
  static Optional<ChargedTo> parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3 || parts[0].isEmpty()) {
      return Optional.empty();
    }
    for (Preemptibility each : Preemptibility.values()) {
      if (word(each).equals(parts[2]) && each != Preemptibility.BY_PRIORITY) {
        return Optional.of(
            new ChargedTo(new QueueName(parts[0]), Integer.parseInt(parts[1]), each));
      }
    }
    return Optional.empty();
  }

  private static String word(Preemptibility preemptibility) {
    return preemptibility.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
