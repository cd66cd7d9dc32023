package dev.berth.controllers.lease;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.door.Capacity;
import dev.berth.controllers.door.ClaimTemplates;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Fence;
import dev.berth.controllers.door.Groups;
import dev.berth.controllers.door.Holders;
import dev.berth.controllers.door.PodConditions;
import dev.berth.controllers.door.Pods;
import dev.berth.controllers.door.ProbePods;
import dev.berth.controllers.door.Queues;
import dev.berth.controllers.door.Requeues;
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

/// The doors for writes, open only while the fence is: what begins later is not written, and its
/// caller hears `NOT_NOW`. Knows how many are under way, and tells the fence of those that were not
/// answered, so that a lease can be let go of when nothing is written late. Any thread.
public final class Fenced {
  private interface Write {
    void go() throws DoorException;
  }

  private final Fence fence;
  private int underWay; // these two: guarded by this
  private boolean shut;

  public Fenced(Fence fence) {
    this.fence = fence;
  }

  /// Lets nothing more begin.
  public synchronized void shut() {
    shut = true;
  }

  public synchronized int underWay() {
    return underWay;
  }

  private void through(Write write) throws DoorException {
    begin();
    try {
      write.go();
    } catch (DoorException failed) {
      if (failed.kind() == DoorException.Kind.UNREACHABLE) {
        fence.unanswered();
      }
      throw failed;
    } finally {
      end();
    }
  }

  private synchronized void begin() throws DoorException {
    if (shut || !fence.left().isPositive()) {
      throw new DoorException(
          DoorException.Kind.NOT_NOW, "not written: " + fence.barred().orElse("this one stops"));
    }
    underWay++;
  }

  private synchronized void end() {
    underWay--;
  }

  public Pods pods(Pods inner) {
    return new Pods() {
      @Override
      public void lift(PodKey pod, PodUid uid, long version, String plan) throws DoorException {
        through(() -> inner.lift(pod, uid, version, plan));
      }

      @Override
      public long nominate(PodKey pod, PodUid uid, NodeName node) throws DoorException {
        long[] version = {0};
        through(() -> version[0] = inner.nominate(pod, uid, node));
        return version[0];
      }

      @Override
      public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
          throws DoorException {
        through(() -> inner.bind(pod, uid, node, annotations));
      }

      @Override
      public long version(PodKey pod, PodUid uid) throws DoorException {
        return inner.version(pod, uid);
      }

      @Override
      public boolean isOn(PodKey pod, PodUid uid, NodeName node) throws DoorException {
        return inner.isOn(pod, uid, node);
      }

      @Override
      public void evict(PodKey pod, PodUid uid) throws DoorException {
        through(() -> inner.evict(pod, uid));
      }

      @Override
      public void stop(PodKey pod, PodUid uid, Duration grace) throws DoorException {
        through(() -> inner.stop(pod, uid, grace));
      }
    };
  }

  public PodConditions conditions(PodConditions inner) {
    return (pod, uid, version, message) -> through(() -> inner.waits(pod, uid, version, message));
  }

  public Requeues requeues(Requeues inner) {
    return (pod, uid, now) -> through(() -> inner.requeue(pod, uid, now));
  }

  public Holders holders(Holders inner) {
    return new Holders() {
      @Override
      public String namespace() {
        return inner.namespace();
      }

      @Override
      public void create(NodeName node, int slot, Resource device) throws DoorException {
        through(() -> inner.create(node, slot, device));
      }

      @Override
      public void delete(PodKey holder, PodUid uid) throws DoorException {
        through(() -> inner.delete(holder, uid));
      }
    };
  }

  public ProbePods probes(ProbePods inner) {
    return new ProbePods() {
      @Override
      public String namespace() {
        return inner.namespace();
      }

      @Override
      public void create(Probe probe) throws DoorException {
        through(() -> inner.create(probe));
      }

      @Override
      public void delete(PodKey probe, PodUid uid) throws DoorException {
        through(() -> inner.delete(probe, uid));
      }

      @Override
      public void runtimeClass(String runtimeClass) throws DoorException {
        through(() -> inner.runtimeClass(runtimeClass));
      }
    };
  }

  public Groups groups(Groups inner) {
    return new Groups() {
      @Override
      public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
          throws DoorException {
        through(() -> inner.create(key, minMember, queue, owner));
      }

      @Override
      public void keep(GroupSpec spec, QueueName queue, Owner owner) throws DoorException {
        through(() -> inner.keep(spec, queue, owner));
      }

      @Override
      public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
          throws DoorException {
        through(() -> inner.status(key, before, after));
      }

      @Override
      public void delete(GroupKey key, String uid) throws DoorException {
        through(() -> inner.delete(key, uid));
      }
    };
  }

  public Queues queues(Queues inner) {
    return (queue, before, after) -> through(() -> inner.status(queue, before, after));
  }

  public Capacity capacity(Capacity inner) {
    return new Capacity() {
      @Override
      public void ask(Want want) throws DoorException {
        through(() -> inner.ask(want));
      }

      @Override
      public void withdraw(Want want) throws DoorException {
        through(() -> inner.withdraw(want));
      }

      @Override
      public void clear(PodKey placeholder) throws DoorException {
        through(() -> inner.clear(placeholder));
      }

      @Override
      public List<Request> requests() throws DoorException {
        return inner.requests();
      }

      @Override
      public void clear(Request request) throws DoorException {
        through(() -> inner.clear(request));
      }
    };
  }

  public ClaimTemplates claimTemplates(ClaimTemplates inner) {
    return (namespace, share) -> through(() -> inner.create(namespace, share));
  }
}
