package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.JobManifest;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;
import java.util.Optional;

/// `batch/v1` Job, by itself or spawned by a CronJob: a gang if `berth.dev/min-member` on the Job
/// or on its pod template says more than one. Parallelism is an upper bound, no gang.
///
/// The minimum asks for pods that run: those that completed do not count towards it, as others come
/// in their stead. It is never more than what may run at once and is still to run, so that a last
/// wave that is smaller than the gang starts too, and a gang whose members complete one after
/// another keeps the others. With `backoffLimitPerIndex` an index that has failed does not come
/// again. (More than `maxFailedIndexes` of them fail the Job.) Without `completions` no other pods
/// come once one has completed. Each Job of a CronJob is a gang of its own.
final class BatchJobs implements Rule {
  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    var job = job(subject, pod);
    return job.isPresent() && asked(job.get(), problems) > 1
        ? RoleAssignment.MEMBER.in(subject.kind().equals("CronJob") ? job.get().name() : "")
        : RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    KubeObject job = job(family.subject(), family.first()).orElse(family.subject());
    ManifestTree spec = job.spec(problems);
    int done = job.status(problems).number("succeeded", 0).orElse(0);
    var completions = spec.number("completions", 0);
    int left = Completions.UNTIL_ONE_HAS;
    ManifestTree status = job.status(new Problems());
    if (JobManifest.isOver(status)) {
      left = 0;
    } else if (completions.isPresent()) {
      int failed = JobManifest.failedIndexes(spec, status);
      left = (int) Math.max(0, (long) completions.getAsInt() - done - failed);
    }
    int parallelism = spec.number("parallelism", 0).orElse(1);
    int atOnce =
        left == 0 ? parallelism : Math.min(parallelism, left); // what has ended asks as ever
    return GangShape.of(Math.max(1, Math.min(asked(job, problems), atOnce)))
        .with(new Completions(left, done, 0));
  }

  /// A minimum that the Job can never have at once is lowered to what it can.
  @Override
  public List<Problem> advice(KubeObject subject) {
    if (!subject.kind().equals("Job")) {
      return List.of();
    }
    var spec = subject.spec(new Problems());
    int asked = asked(subject, new Problems());
    int most = spec.number("parallelism", 0).orElse(1);
    String bound = "parallelism";
    int completions = spec.number("completions", 0).orElse(Integer.MAX_VALUE);
    if (completions < most) {
      most = completions;
      bound = "completions";
    }
    return most == 0 || asked <= most // suspended by a parallelism of 0
        ? List.of()
        : List.of(
            new Problem(
                WellKnownNames.MIN_MEMBER,
                Integer.toString(asked),
                "spec.%1$s is %2$d, so %2$d pods start together. Raise spec.%1$s, or lower %3$s."
                    .formatted(bound, most, WellKnownNames.MIN_MEMBER)));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return job(subject, pod).<Object>map(ObjectTrait::new).orElse(SAME);
  }

  private static Optional<KubeObject> job(KubeObject subject, WorkloadPod pod) {
    return subject.kind().equals("CronJob")
        ? pod.owner("batch", "Job").stream().findFirst()
        : Optional.of(subject);
  }

  private static int asked(KubeObject job, Problems problems) {
    int asked = GroupLabels.minMember(job.annotations(problems));
    ManifestTree template = job.spec(problems).object("template").object("metadata");
    return asked > 0 ? asked : GroupLabels.minMember(template.words("annotations"));
  }
}
