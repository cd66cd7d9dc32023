package dev.berth.engine.request;

import dev.berth.engine.model.Fact.JobSeen;
import dev.berth.engine.model.OwnerUid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A `batch/v1` Job: whether it makes pods, and in the stead of how many it makes none.
public final class JobManifest {
  private static final Set<String> ENDS = new TreeSet<>(List.of("Complete", "Failed"));

  private JobManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<JobSeen> read(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(job -> {
          boolean isOver = isOver(job.status());
          boolean rests = job.spec().flag("suspend") || isOver;
          int fewer = isOver ? 0 : fewer(job.spec(), job.status());
          ManifestTree template = job.spec().object("template");
          ManifestTree metadata = template.object("metadata");
          ManifestTree labels = metadata.words("labels");
          return new JobSeen(
              new OwnerUid(job.head().uid()),
              !rests,
              fewer,
              GroupLabels.group(
                  job.head().namespace(),
                  labels,
                  metadata.words("annotations"),
                  template.object("spec")),
              GroupLabels.subGroup(labels));
        });
  }

  /// How many fewer pods may run at once than in the beginning, as so many have succeeded.
  private static int fewer(ManifestTree spec, ManifestTree status) {
    var completions = spec.number("completions", 0);
    if (completions.isEmpty()) {
      return 0;
    }
    int parallelism = spec.number("parallelism", 0).orElse(1);
    int most = Math.max(0, completions.getAsInt() - failedIndexes(spec, status));
    int left = Math.max(0, most - status.number("succeeded", 0).orElse(0));
    return Math.min(parallelism, most) - Math.min(parallelism, left);
  }

  /// How many indexes have failed for good: `1,3-5` are four. They do not come again.
  public static int failedIndexes(ManifestTree spec, ManifestTree status) {
    if (!spec.has("backoffLimitPerIndex")) {
      return 0;
    }
    long failed = 0;
    for (String range : status.text("failedIndexes").split(",", -1)) {
      String[] ends = range.strip().split("-", 2);
      long from = index(ends[0]);
      long to = index(ends[ends.length - 1]);
      failed += from < 0 || to < from ? 0 : to - from + 1;
    }
    return (int) Math.min(failed, Integer.MAX_VALUE);
  }

  /// -1 where it is none.
  private static long index(String text) {
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : -1;
  }

  /// Whether a Job is complete or has failed.
  public static boolean isOver(ManifestTree status) {
    return status.hasTrue(ENDS);
  }
}
