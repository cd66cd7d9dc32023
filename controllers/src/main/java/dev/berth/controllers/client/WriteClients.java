package dev.berth.controllers.client;

import java.util.Optional;

/// The clients of one API server. Executes an [ApiWrite] by the call of the client that it is for:
/// no other place maps the one to the other.
///
/// @param probes empty = nodes are not probed
public record WriteClients(
    PodClient pods,
    PodConditionClient conditions,
    RequeueClient requeues,
    HolderClient holders,
    Optional<ProbeClient> probes,
    OwnPodClient ownPod,
    PodGroupClient groups,
    QueueClient queues,
    CapacityClient capacity,
    ClaimTemplateClient claimTemplates,
    LeaseClient leases)
    implements ApiWriter {
  /// Where no autoscaler is, no share is a claim, every node gives a container the GPU that it is
  /// given, conditions of pods are not read, and no other process can lead.
  public WriteClients(
      PodClient pods, HolderClient holders, PodGroupClient groups, QueueClient queues) {
    this(
        pods,
        PodConditionClient.NONE,
        RequeueClient.NONE,
        holders,
        Optional.empty(),
        OwnPodClient.NONE,
        groups,
        queues,
        CapacityClient.NONE,
        ClaimTemplateClient.NONE,
        LeaseClient.NONE);
  }

  /// The same for one of several processes that may lead.
  public WriteClients competing(OwnPodClient own, LeaseClient lease) {
    return new WriteClients(
        pods,
        conditions,
        requeues,
        holders,
        probes,
        own,
        groups,
        queues,
        capacity,
        claimTemplates,
        lease);
  }

  @Override
  public String write(ApiWrite write) throws ClientException {
    switch (write) {
      case ApiWrite.Lift(var pod, var uid, var version, var plan) ->
          pods.lift(pod, uid, version, plan);
      case ApiWrite.Nominate(var pod, var uid, var node) -> {
        return Long.toString(pods.nominate(pod, uid, node));
      }
      case ApiWrite.MarkPreemptor(var pod, var uid, var isPreemptor) ->
          pods.markPreemptor(pod, uid, isPreemptor);
      case ApiWrite.Warn(var pod, var uid, var warning) -> pods.warns(pod, uid, warning);
      case ApiWrite.Bind(var pod, var uid, var node, var annotations) ->
          pods.bind(pod, uid, node, annotations);
      case ApiWrite.Evict(var pod, var uid) -> pods.evict(pod, uid);
      case ApiWrite.Stop(var pod, var uid, var grace) -> pods.stop(pod, uid, grace);
      case ApiWrite.PodCondition(var pod, var uid, var version, var message) ->
          conditions.waits(pod, uid, version, message);
      case ApiWrite.WaitingAnnotation(var pod, var uid, var message) ->
          conditions.annotates(pod, uid, message);
      case ApiWrite.Requeue(var pod, var uid, var now) -> requeues.requeue(pod, uid, now);
      case ApiWrite.CreateHolder(var node, var slot, var device) ->
          holders.create(node, slot, device);
      case ApiWrite.DeleteHolder(var holder, var uid) -> holders.delete(holder, uid);
      case ApiWrite.CreateProbe(var probe) -> probing().create(probe);
      case ApiWrite.DeleteProbe(var probe, var uid) -> probing().delete(probe, uid);
      case ApiWrite.ShareSettings(var runtimeClass) -> probing().runtimeClass(runtimeClass);
      case ApiWrite.Mark(var word) -> {
        return ownPod.mark(word);
      }
      case ApiWrite.CreateGroup(var group, var minMember, var queue, var owner) ->
          groups.create(group, minMember, queue, owner);
      case ApiWrite.KeepGroup(var spec, var queue, var owner, var edits) ->
          groups.keep(spec, queue, owner, edits);
      case ApiWrite.GroupStatus(var group, var before, var after) ->
          groups.status(group, before, after);
      case ApiWrite.DeleteGroup(var group, var uid) -> groups.delete(group, uid);
      case ApiWrite.QueueStatus(var queue, var before, var after) ->
          queues.status(queue, before, after);
      case ApiWrite.AskCapacity(var want) -> capacity.ask(want);
      case ApiWrite.WithdrawCapacity(var want) -> capacity.withdraw(want);
      case ApiWrite.ClearPlaceholder(var placeholder) -> capacity.clear(placeholder);
      case ApiWrite.ClearRequest(var request) -> capacity.clear(request);
      case ApiWrite.CreateClaimTemplate(var namespace, var share) ->
          claimTemplates.create(namespace, share);
      case ApiWrite.Lease(var lease) -> {
        return leases.write(lease).version();
      }
    }
    return NOT_TOLD;
  }

  private ProbeClient probing() {
    return probes.orElseThrow();
  }
}
