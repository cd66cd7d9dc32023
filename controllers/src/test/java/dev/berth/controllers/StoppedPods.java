package dev.berth.controllers;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/// Pods that can only be stopped: as `name after grace`.
public final class StoppedPods implements PodClient {
  public final List<String> stopped = new ArrayList<>();
  public final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) {
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
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    stopped.add(pod.name() + " after " + grace);
    if (!failures.isEmpty()) {
      throw new ClientException(failures.remove(), "stop " + pod);
    }
  }
}
