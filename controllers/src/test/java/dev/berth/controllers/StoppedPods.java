package dev.berth.controllers;

import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Pods that can only be stopped: as `name after grace`.
public final class StoppedPods extends UntouchedPods {
  public final List<String> stopped = new ArrayList<>();
  public final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    stopped.add(pod.name() + " after " + grace);
    if (!failures.isEmpty()) {
      throw new ClientException(failures.remove(), "stop " + pod);
    }
  }
}
