package dev.berth.engine.request;

import dev.berth.engine.model.Fact.JobSeen;
import dev.berth.engine.model.OwnerUid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// A `batch/v1` Job: whether it makes pods.
public final class JobManifest {
  private static final Set<String> ENDS = new TreeSet<>(List.of("Complete", "Failed"));

  private JobManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<JobSeen> read(Map<?, ?> tree) {
    return Manifest.open(tree)
        .map(job -> {
          boolean rests = job.spec().flag("suspend") || isOver(job.status());
          return new JobSeen(new OwnerUid(job.head().uid()), !rests);
        });
  }

  /// Whether a Job is complete or has failed.
  public static boolean isOver(ManifestTree status) {
    return status.hasTrue(ENDS);
  }
}
