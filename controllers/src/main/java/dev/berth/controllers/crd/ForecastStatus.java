package dev.berth.controllers.crd;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/// `status.forecast` of a PodGroup: when it is likely to start, to the second.
///
/// @param median by then with even odds
/// @param p90 by then with nine of ten; not before the median
/// @param updated when it was made
public record ForecastStatus(Instant median, Instant p90, Instant updated) {
  /// None is told.
  public static final ForecastStatus NONE =
      new ForecastStatus(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);

  public ForecastStatus {
    median = median.truncatedTo(ChronoUnit.SECONDS);
    p90 = p90.truncatedTo(ChronoUnit.SECONDS);
    updated = updated.truncatedTo(ChronoUnit.SECONDS);
  }

  public boolean isNone() {
    return equals(NONE);
  }

  /// One that lacks a moment reads as if it were not there.
  static ForecastStatus read(Map<String, ?> tree) {
    var read =
        new ForecastStatus(
            StatusTree.time(tree, "median"),
            StatusTree.time(tree, "p90"),
            StatusTree.time(tree, "updated"));
    boolean isWhole =
        read.median.isAfter(Instant.EPOCH)
            && !read.p90.isBefore(read.median)
            && read.updated.isAfter(Instant.EPOCH);
    return isWhole ? read : NONE;
  }

  /// All of it, so that a merge patch replaces the one before.
  Map<String, Object> tree() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("median", median.toString());
    tree.put("p90", p90.toString());
    tree.put("updated", updated.toString());
    return tree;
  }
}
