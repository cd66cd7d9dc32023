package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;
import dev.berth.engine.request.Tree;

/// `batch.volcano.sh` Job: `minAvailable`, else the replicas of all tasks.
final class VolcanoJobs implements Rule {
  @Override
  public Seat seat(Thing subject, Member pod, Problems problems) {
    return Seat.MEMBER;
  }

  @Override
  public Shape shape(Family family, Problems problems) {
    Tree spec = family.subject().spec(problems);
    int all = 0;
    for (Tree task : spec.objects("tasks")) {
      all += task.number("replicas", 0).orElse(1);
    }
    return Shape.of(Math.max(1, spec.number("minAvailable", 0).orElse(all)));
  }
}
