package dev.berth.cli.usage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// GPU-hours of a log.
///
/// @param by what they are grouped by
/// @param rows in the order of their keys
/// @param all of them together
/// @param from where it begins: the beginning of the log, or what was asked for
/// @param to where it ends: the last snapshot of the log, or what was asked for
/// @param gaps in the order of time
/// @param limits what else is not in the numbers
public record UsageReport(
    List<UsageDimension> by,
    List<UsageRow> rows,
    UsageRow all,
    Instant from,
    Instant to,
    List<UsageGap> gaps,
    Limits limits) {
  public UsageReport {
    by = List.copyOf(by);
    rows = List.copyOf(rows);
    gaps = List.copyOf(gaps);
  }

  /// @param logBegins where the log begins later than was asked for
  /// @param logEnds where the log ends earlier than was asked for
  /// @param skipped snapshots of a process that planned beside another one
  /// @param withoutLabel labels that no pod of the log has
  /// @param withoutPools whether it is grouped by pools and nodes are not divided into any
  public record Limits(
      Optional<Instant> logBegins,
      Optional<Instant> logEnds,
      long skipped,
      List<String> withoutLabel,
      boolean withoutPools) {
    public Limits {
      withoutLabel = List.copyOf(withoutLabel);
    }
  }

  /// GPU-time that may have been held in gaps.
  public long unknown() {
    return gaps.stream().mapToLong(UsageGap::unknown).reduce(0, UsageAmounts::sum);
  }
}
