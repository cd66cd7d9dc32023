package dev.berth.engine.ledger;

import dev.berth.engine.model.Backoffs.Overdue;
import dev.berth.engine.model.Backoffs.OverdueVolumes;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.TreeSet;

/// How long kube-scheduler has waited for volumes of pods, and kept their room: as long as this
/// process has seen it.
final class VolumeWaits {
  /// Provisioners of the large clouds make and attach a volume within some 10 s.
  private static final Duration OVERDUE = Duration.ofSeconds(15);

  /// How often it is looked for new ones: a claim may have thousands of pods.
  private static final Duration LOOKS = Duration.ofSeconds(1);

  private final Volumes volumes;
  private final LinkedHashMap<PodRecord, Wait> waits = new LinkedHashMap<>();

  private Instant looked = Instant.MIN;

  private record Wait(WrittenPlan plan, Instant since) {}

  VolumeWaits(Volumes volumes) {
    this.volumes = volumes;
  }

  /// The pods for which kube-scheduler waits too long.
  OverdueVolumes overdue(Instant now) {
    if (!now.isBefore(looked.plus(LOOKS))) {
      looked = now;
      volumes.awaited().forEach(pod -> begins(pod, now));
    }
    waits.entrySet().removeIf(each -> !stands(each.getKey(), each.getValue().plan));
    if (waits.isEmpty()) {
      return OverdueVolumes.NONE;
    }
    var overdue = new LinkedHashSet<Overdue>();
    waits.forEach((pod, wait) -> {
      if (!wait.since.plus(OVERDUE).isAfter(now)) {
        overdue.add(
            new Overdue(pod.pod.key().namespace(), pod.chargedTo().queue(), resources(pod.pod)));
      }
    });
    return new OverdueVolumes(List.copyOf(overdue));
  }

  private static TreeSet<Resource> resources(Pod pod) {
    var request = pod.asks().request();
    var resources = new TreeSet<>(request.amounts().resources());
    if (!request.devices().equals(DeviceRequest.NONE) || !pod.traits().claims().isEmpty()) {
      resources.add(Resource.GPU);
    }
    return resources;
  }

  private void begins(PodRecord pod, Instant now) {
    var wait = waits.get(pod);
    if (wait == null || !wait.plan.equals(pod.plan())) {
      waits.put(pod, new Wait(pod.plan(), now));
    }
  }

  private boolean stands(PodRecord pod, WrittenPlan plan) {
    return !pod.isGone
        && pod.isPlanned()
        && pod.plan().equals(plan)
        && volumes.wasAwaited(pod, plan);
  }
}
