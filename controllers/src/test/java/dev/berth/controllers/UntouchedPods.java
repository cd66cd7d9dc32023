package dev.berth.controllers;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.SortedMap;

/// Pods that nothing may be done to: a test lets happen what it looks at.
public abstract class UntouchedPods implements PodClient {
  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
    throw new UnsupportedOperationException();
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void warns(PodKey pod, PodUid uid, PodWarning warning) throws ClientException {
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
  public void evict(PodKey pod, PodUid uid) throws ClientException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    throw new UnsupportedOperationException();
  }
}
