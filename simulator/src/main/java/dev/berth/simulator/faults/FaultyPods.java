package dev.berth.simulator.faults;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.SortedMap;

/// Writes on pods, with faults.
public final class FaultyPods implements PodClient {
  private final PodClient inner;
  private final WriteExecution writes;

  public FaultyPods(PodClient inner, FaultInjector faultInjector) {
    this(inner, new FaultyWrites(faultInjector));
  }

  /// @param writes how they come to pass
  public FaultyPods(PodClient inner, WriteExecution writes) {
    this.inner = inner;
    this.writes = writes;
  }

  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
    writes.write(WriteExecution.Verb.LIFT, () -> inner.lift(pod, uid, version, plan));
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    long[] version = {0};
    writes.write(WriteExecution.Verb.NOMINATE, () -> version[0] = inner.nominate(pod, uid, node));
    return version[0];
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
    writes.write(
        WriteExecution.Verb.MARK_PREEMPTOR, () -> inner.markPreemptor(pod, uid, isPreemptor));
  }

  @Override
  public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      throws ClientException {
    writes.write(WriteExecution.Verb.BIND, () -> inner.bind(pod, uid, node, annotations));
  }

  @Override
  public long version(PodKey pod, PodUid uid) throws ClientException {
    return inner.version(pod, uid);
  }

  @Override
  public boolean isOn(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    return inner.isOn(pod, uid, node);
  }

  @Override
  public void evict(PodKey pod, PodUid uid) throws ClientException {
    writes.write(WriteExecution.Verb.EVICT, () -> inner.evict(pod, uid));
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    writes.write(WriteExecution.Verb.STOP, () -> inner.stop(pod, uid, grace));
  }
}
