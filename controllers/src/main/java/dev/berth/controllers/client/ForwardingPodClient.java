package dev.berth.controllers.client;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.SortedMap;

/// Hands everything on, for whoever looks at some of it alone. Not for who must see each write,
/// such as a fence: another one that comes would pass it by.
public abstract class ForwardingPodClient implements PodClient {
  private final PodClient inner;

  protected ForwardingPodClient(PodClient inner) {
    this.inner = inner;
  }

  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
    inner.lift(pod, uid, version, plan);
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    return inner.nominate(pod, uid, node);
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
    inner.markPreemptor(pod, uid, isPreemptor);
  }

  @Override
  public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      throws ClientException {
    inner.bind(pod, uid, node, annotations);
  }

  @Override
  public boolean isOn(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    return inner.isOn(pod, uid, node);
  }

  @Override
  public long version(PodKey pod, PodUid uid) throws ClientException {
    return inner.version(pod, uid);
  }

  @Override
  public void evict(PodKey pod, PodUid uid) throws ClientException {
    inner.evict(pod, uid);
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    inner.stop(pod, uid, grace);
  }
}
