package dev.berth.controllers;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Pods;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Pods that can only be stopped: as `name after grace`.
public final class StoppedPods implements Pods {
  public final List<String> stopped = new ArrayList<>();
  public final ArrayDeque<DoorException.Kind> failures = new ArrayDeque<>();

  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long version(PodKey pod, PodUid uid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean isOn(PodKey pod, PodUid uid, NodeName node) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void evict(PodKey pod, PodUid uid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws DoorException {
    stopped.add(pod.name() + " after " + grace);
    if (!failures.isEmpty()) {
      throw new DoorException(failures.remove(), "stop " + pod);
    }
  }
}
