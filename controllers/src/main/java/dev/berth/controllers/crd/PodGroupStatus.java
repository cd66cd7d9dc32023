package dev.berth.controllers.crd;

import java.time.Instant;
import java.util.List;

/// `status` of a PodGroup, as api.md names it.
///
/// @param reason code of the `Reason`; empty where nothing stands in the way
/// @param message its sentence
/// @param staleSince `Instant.EPOCH` = not stale
public record PodGroupStatus(
    Phase phase,
    String reason,
    String message,
    Instant staleSince,
    Members members,
    List<Condition> conditions) {
  public PodGroupStatus {
    message = Printable.line(message);
    conditions = List.copyOf(conditions);
  }

  /// Whether the same is so for the same kind of reason, told in other words or numbers.
  public boolean differsInWordsAlone(PodGroupStatus other) {
    return phase == other.phase
        && !reason.isEmpty()
        && reason.equals(other.reason)
        && staleSince.equals(other.staleSince)
        && members.equals(other.members);
  }

  public enum Phase {
    PENDING,
    QUEUED,
    PLANNED,
    STARTING,
    RUNNING,
    FINISHED;

    /// `Queued`, as the API writes it.
    public String word() {
      return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
    }
  }

  public record Members(int required, int gated, int bound, int running, int failed) {}
}
