package dev.berth.controllers.jobs;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.Map;
import java.util.Set;

/// How many failed pods a Job survives, and whether evicted pods count as failed.
///
/// @param limit `backoffLimit`, or `backoffLimitPerIndex`
/// @param perIndex whether the limit is that of each index
/// @param failed pods that failed so far
/// @param atOnce pods that run at the same time at most
/// @param ignoresDisruption whether its `podFailurePolicy` ignores pods with the condition
///   `DisruptionTarget`
/// @param restartPolicy of its pods
/// @param over whether it is complete or failed
record JobBackoffLimit(
    int limit,
    boolean perIndex,
    int failed,
    int atOnce,
    boolean ignoresDisruption,
    String restartPolicy,
    boolean over) {
  /// What kube-apiserver writes where the Job says nothing.
  private static final int DEFAULT_LIMIT = 6;

  private static final Set<String> ENDS =
      Set.of("Complete", "Failed", "FailureTarget", "SuccessCriteriaMet");

  static JobBackoffLimit of(Map<String, ?> job) {
    var tree = ManifestTree.root(job, new Problems());
    ManifestTree spec = tree.object("spec");
    ManifestTree status = tree.object("status");
    var perIndex = spec.number("backoffLimitPerIndex", 0);
    int atOnce = spec.number("parallelism", 0).orElse(1);
    var completions = spec.number("completions", 0);
    if (completions.isPresent()) {
      int left = completions.getAsInt() - status.number("succeeded", 0).orElse(0);
      atOnce = Math.min(atOnce, Math.max(0, left));
    }
    return new JobBackoffLimit(
        perIndex.orElse(spec.number("backoffLimit", 0).orElse(DEFAULT_LIMIT)),
        perIndex.isPresent(),
        status.number("failed", 0).orElse(0),
        atOnce,
        ignoresDisruption(spec.object("podFailurePolicy")),
        spec.object("template").object("spec").text("restartPolicy"),
        status.hasTrue(ENDS));
  }

  /// The first rule that matches decides; one for exit codes may match as well, which is not known
  /// before the pod has ended.
  private static boolean ignoresDisruption(ManifestTree policy) {
    for (ManifestTree rule : policy.objects("rules")) {
      for (ManifestTree pattern : rule.objects("onPodConditions")) {
        String status = pattern.text("status");
        if (pattern.text("type").equals("DisruptionTarget")
            && (status.isEmpty() || status.equals("True"))) {
          return rule.text("action").equals("Ignore");
        }
      }
    }
    return false;
  }

  /// Whether the Job, or one index of it, fails when that many of its pods are evicted together.
  boolean isUsedUpBy(int evicted) {
    if (over || ignoresDisruption) {
      return false;
    }
    int pods = Math.min(evicted, atOnce);
    return perIndex ? pods > 0 && limit == 0 : (long) failed + pods > limit;
  }
}
