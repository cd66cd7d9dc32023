package dev.berth.controllers.client;

import dev.berth.controllers.crd.PodGroupSpec.Edits;
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
import java.util.Optional;
import java.util.SortedMap;

/// The clients as their callers know them: a call that writes becomes an [ApiWrite] for the writer,
/// a call that reads goes to the client itself. Any thread.
///
/// @param writer leads to the clients, maybe through decorators
public record WriterFacades(ApiWriter writer, WriteClients clients) {
  /// Without a decorator.
  public static WriterFacades of(WriteClients clients) {
    return new WriterFacades(clients, clients);
  }

  /// The same with another writer.
  public WriterFacades with(ApiWriter other) {
    return new WriterFacades(other, clients);
  }

  public PodClient pods() {
    return new Pods(writer, clients.pods());
  }

  public PodConditionClient conditions() {
    return new Conditions(writer);
  }

  public RequeueClient requeues() {
    return (pod, uid, now) -> writer.write(new ApiWrite.Requeue(pod, uid, now));
  }

  public HolderClient holders() {
    return new Holders(writer, clients.holders());
  }

  /// Empty = nodes are not probed.
  public Optional<ProbeClient> probes() {
    return clients.probes().map(probes -> new Probes(writer, probes));
  }

  public OwnPodClient ownPod() {
    return word -> writer.write(new ApiWrite.Mark(word));
  }

  public PodGroupClient groups() {
    return new Groups(writer);
  }

  public QueueClient queues() {
    return (queue, before, after) -> writer.write(new ApiWrite.QueueStatus(queue, before, after));
  }

  public CapacityClient capacity() {
    return new Capacity(writer, clients.capacity());
  }

  public ClaimTemplateClient claimTemplates() {
    return (namespace, share) -> writer.write(new ApiWrite.CreateClaimTemplate(namespace, share));
  }

  public LeaseClient leases() {
    return new Leases(writer, clients.leases());
  }

  private record Conditions(ApiWriter writer) implements PodConditionClient {
    @Override
    public void waits(PodKey pod, PodUid uid, long version, String message) throws ClientException {
      writer.write(new ApiWrite.PodCondition(pod, uid, version, message));
    }

    @Override
    public void annotates(PodKey pod, PodUid uid, String message) throws ClientException {
      writer.write(new ApiWrite.WaitingAnnotation(pod, uid, message));
    }
  }

  private record Pods(ApiWriter writer, PodClient reads) implements PodClient {
    @Override
    public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
      writer.write(new ApiWrite.Lift(pod, uid, version, plan));
    }

    @Override
    public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
      return Long.parseLong(writer.write(new ApiWrite.Nominate(pod, uid, node)));
    }

    @Override
    public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
      writer.write(new ApiWrite.MarkPreemptor(pod, uid, isPreemptor));
    }

    @Override
    public void warns(PodKey pod, PodUid uid, PodWarning warning) throws ClientException {
      writer.write(new ApiWrite.Warn(pod, uid, warning));
    }

    @Override
    public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
        throws ClientException {
      writer.write(new ApiWrite.Bind(pod, uid, node, annotations));
    }

    @Override
    public boolean isOn(PodKey pod, PodUid uid, NodeName node) throws ClientException {
      return reads.isOn(pod, uid, node);
    }

    @Override
    public long version(PodKey pod, PodUid uid) throws ClientException {
      return reads.version(pod, uid);
    }

    @Override
    public void evict(PodKey pod, PodUid uid) throws ClientException {
      writer.write(new ApiWrite.Evict(pod, uid));
    }

    @Override
    public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
      writer.write(new ApiWrite.Stop(pod, uid, grace));
    }
  }

  private record Holders(ApiWriter writer, HolderClient reads) implements HolderClient {
    @Override
    public String namespace() {
      return reads.namespace();
    }

    @Override
    public void create(NodeName node, int slot, Resource device) throws ClientException {
      writer.write(new ApiWrite.CreateHolder(node, slot, device));
    }

    @Override
    public void delete(PodKey holder, PodUid uid) throws ClientException {
      writer.write(new ApiWrite.DeleteHolder(holder, uid));
    }
  }

  private record Probes(ApiWriter writer, ProbeClient reads) implements ProbeClient {
    @Override
    public String namespace() {
      return reads.namespace();
    }

    @Override
    public void create(Probe probe) throws ClientException {
      writer.write(new ApiWrite.CreateProbe(probe));
    }

    @Override
    public void delete(PodKey probe, PodUid uid) throws ClientException {
      writer.write(new ApiWrite.DeleteProbe(probe, uid));
    }

    @Override
    public void runtimeClass(String runtimeClass) throws ClientException {
      writer.write(new ApiWrite.ShareSettings(runtimeClass));
    }
  }

  private record Groups(ApiWriter writer) implements PodGroupClient {
    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
        throws ClientException {
      writer.write(new ApiWrite.CreateGroup(key, minMember, queue, owner));
    }

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits)
        throws ClientException {
      writer.write(new ApiWrite.KeepGroup(spec, queue, owner, edits));
    }

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
        throws ClientException {
      writer.write(new ApiWrite.GroupStatus(key, before, after));
    }

    @Override
    public void delete(GroupKey key, String uid) throws ClientException {
      writer.write(new ApiWrite.DeleteGroup(key, uid));
    }
  }

  private record Capacity(ApiWriter writer, CapacityClient reads) implements CapacityClient {
    @Override
    public void ask(Want want) throws ClientException {
      writer.write(new ApiWrite.AskCapacity(want));
    }

    @Override
    public void withdraw(Want want) throws ClientException {
      writer.write(new ApiWrite.WithdrawCapacity(want));
    }

    @Override
    public void clear(PodKey placeholder) throws ClientException {
      writer.write(new ApiWrite.ClearPlaceholder(placeholder));
    }

    @Override
    public List<Request> requests() throws ClientException {
      return reads.requests();
    }

    @Override
    public void clear(Request request) throws ClientException {
      writer.write(new ApiWrite.ClearRequest(request));
    }
  }

  private record Leases(ApiWriter writer, LeaseClient reads) implements LeaseClient {
    @Override
    public Optional<Lease> read() throws ClientException {
      return reads.read();
    }

    @Override
    public Lease write(Lease lease) throws ClientException {
      return lease.withVersion(writer.write(new ApiWrite.Lease(lease)));
    }
  }
}
