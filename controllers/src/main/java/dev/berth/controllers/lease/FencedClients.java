package dev.berth.controllers.lease;

import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ClaimTemplateClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodConditionClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.client.RequeueClient;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/// The clients for writes, which write only while the fence is open: what begins later is not
/// written, and its caller hears `NOT_NOW`. Knows how many are under way, and tells the fence of
/// those that were not answered, so that a lease can be let go of when nothing is written late. Any
/// thread.
public final class FencedClients {
  private interface Write {
    void go() throws ClientException;
  }

  private final Fence fence;
  private int underWay; // these two: guarded by this
  private boolean shut;

  public FencedClients(Fence fence) {
    this.fence = fence;
  }

  /// Lets nothing more begin.
  public synchronized void shut() {
    shut = true;
  }

  public synchronized int underWay() {
    return underWay;
  }

  private void through(Write write) throws ClientException {
    begin();
    try {
      write.go();
    } catch (ClientException failed) {
      if (failed.kind() == ClientException.Kind.UNREACHABLE) {
        fence.unanswered();
      }
      throw failed;
    } finally {
      end();
    }
  }

  private synchronized void begin() throws ClientException {
    if (shut || !fence.left().isPositive()) {
      throw new ClientException(
          ClientException.Kind.NOT_NOW, "not written: " + fence.barred().orElse("this one stops"));
    }
    underWay++;
  }

  private synchronized void end() {
    underWay--;
  }

  public PodClient pods(PodClient inner) {
    return new PodClient() {
      @Override
      public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
        through(() -> inner.lift(pod, uid, version, plan));
      }

      @Override
      public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
        long[] version = {0};
        through(() -> version[0] = inner.nominate(pod, uid, node));
        return version[0];
      }

      @Override
      public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor)
          throws ClientException {
        through(() -> inner.markPreemptor(pod, uid, isPreemptor));
      }

      @Override
      public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
          throws ClientException {
        through(() -> inner.bind(pod, uid, node, annotations));
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
        through(() -> inner.evict(pod, uid));
      }

      @Override
      public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
        through(() -> inner.stop(pod, uid, grace));
      }
    };
  }

  public PodConditionClient conditions(PodConditionClient inner) {
    return (pod, uid, version, message) -> through(() -> inner.waits(pod, uid, version, message));
  }

  public RequeueClient requeues(RequeueClient inner) {
    return (pod, uid, now) -> through(() -> inner.requeue(pod, uid, now));
  }

  public HolderClient holders(HolderClient inner) {
    return new HolderClient() {
      @Override
      public String namespace() {
        return inner.namespace();
      }

      @Override
      public void create(NodeName node, int slot, Resource device) throws ClientException {
        through(() -> inner.create(node, slot, device));
      }

      @Override
      public void delete(PodKey holder, PodUid uid) throws ClientException {
        through(() -> inner.delete(holder, uid));
      }
    };
  }

  public ProbeClient probes(ProbeClient inner) {
    return new ProbeClient() {
      @Override
      public String namespace() {
        return inner.namespace();
      }

      @Override
      public void create(Probe probe) throws ClientException {
        through(() -> inner.create(probe));
      }

      @Override
      public void delete(PodKey probe, PodUid uid) throws ClientException {
        through(() -> inner.delete(probe, uid));
      }

      @Override
      public void runtimeClass(String runtimeClass) throws ClientException {
        through(() -> inner.runtimeClass(runtimeClass));
      }
    };
  }

  public PodGroupClient groups(PodGroupClient inner) {
    return new PodGroupClient() {
      @Override
      public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
          throws ClientException {
        through(() -> inner.create(key, minMember, queue, owner));
      }

      @Override
      public void keep(GroupSpec spec, QueueName queue, Owner owner) throws ClientException {
        through(() -> inner.keep(spec, queue, owner));
      }

      @Override
      public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
          throws ClientException {
        through(() -> inner.status(key, before, after));
      }

      @Override
      public void delete(GroupKey key, String uid) throws ClientException {
        through(() -> inner.delete(key, uid));
      }
    };
  }

  public QueueClient queues(QueueClient inner) {
    return (queue, before, after) -> through(() -> inner.status(queue, before, after));
  }

  public CapacityClient capacity(CapacityClient inner) {
    return new CapacityClient() {
      @Override
      public void ask(Want want) throws ClientException {
        through(() -> inner.ask(want));
      }

      @Override
      public void withdraw(Want want) throws ClientException {
        through(() -> inner.withdraw(want));
      }

      @Override
      public void clear(PodKey placeholder) throws ClientException {
        through(() -> inner.clear(placeholder));
      }

      @Override
      public List<Request> requests() throws ClientException {
        return inner.requests();
      }

      @Override
      public void clear(Request request) throws ClientException {
        through(() -> inner.clear(request));
      }
    };
  }

  public ClaimTemplateClient claimTemplates(ClaimTemplateClient inner) {
    return (namespace, share) -> through(() -> inner.create(namespace, share));
  }
}
