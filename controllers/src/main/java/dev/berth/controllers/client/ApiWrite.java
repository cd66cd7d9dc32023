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
import dev.berth.engine.model.ShareClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// One write to the API server as a value: what is written, and on which object. What each of them
/// means is said by the client that executes it, such as [PodClient] for those on pods.
///
/// Not among them: events, and what Berth writes for itself alone (its Secret, the label of its
/// leader, the restart of kube-scheduler). No decorator has to see those.
public sealed interface ApiWrite {
  /// What repeats a write that got no answer.
  enum Retry {
    /// The client, until there is an answer or its budget is spent.
    CLIENT,
    /// The caller, later: the client tries it once.
    CALLER
  }

  /// Kinds that the caller repeats: those that are not repeatable, those that matter little, and
  /// those of which the caller must know when it sent what.
  List<Class<? extends ApiWrite>> TRIED_ONCE =
      List.of(
          CreateHolder.class,
          Lease.class,
          Mark.class,
          PodCondition.class,
          Requeue.class,
          WaitingAnnotation.class);

  /// Whether it may be done twice: then a late first attempt does not matter after a second one.
  default boolean isRepeatable() {
    return true;
  }

  /// Which of the two, by kind: `kube.Api` decides by it.
  static Retry retry(Class<? extends ApiWrite> kind) {
    return TRIED_ONCE.contains(kind) ? Retry.CALLER : Retry.CLIENT;
  }

  /// Its kind, as a sentence has it: `create holder`.
  default String words() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  // Pods of users: PodClient, PodConditionClient, RequeueClient

  record Lift(PodKey pod, PodUid uid, long version, String plan) implements ApiWrite {}

  record Nominate(PodKey pod, PodUid uid, NodeName node) implements ApiWrite {}

  record MarkPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) implements ApiWrite {}

  record Warn(PodKey pod, PodUid uid, PodWarning warning) implements ApiWrite {}

  record Bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      implements ApiWrite {
    public Bind {
      annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    }
  }

  record Evict(PodKey pod, PodUid uid) implements ApiWrite {}

  record Stop(PodKey pod, PodUid uid, Duration grace) implements ApiWrite {}

  record PodCondition(PodKey pod, PodUid uid, long version, String message) implements ApiWrite {}

  /// @param message empty = the annotation is removed
  record WaitingAnnotation(PodKey pod, PodUid uid, String message) implements ApiWrite {}

  record Requeue(PodKey pod, PodUid uid, Instant now) implements ApiWrite {}

  // Pods of Berth: HolderClient, ProbeClient, OwnPodClient

  /// Not repeatable: when the holder has come and gone, its device is another pod's, and the first
  /// attempt would take it again.
  record CreateHolder(NodeName node, int slot, Resource device) implements ApiWrite {
    @Override
    public boolean isRepeatable() {
      return false;
    }
  }

  record DeleteHolder(PodKey holder, PodUid uid) implements ApiWrite {}

  record CreateProbe(ProbeClient.Probe probe) implements ApiWrite {}

  record DeleteProbe(PodKey probe, PodUid uid) implements ApiWrite {}

  record ShareSettings(String runtimeClass) implements ApiWrite {}

  record Mark(String word) implements ApiWrite {}

  // PodGroups and Queues: PodGroupClient, QueueClient

  record CreateGroup(GroupKey group, int minMember, QueueName queue, PodGroupClient.Owner owner)
      implements ApiWrite {}

  record KeepGroup(GroupSpec spec, QueueName queue, PodGroupClient.Owner owner, Edits edits)
      implements ApiWrite {}

  record GroupStatus(GroupKey group, PodGroupStatus before, PodGroupStatus after)
      implements ApiWrite {}

  record DeleteGroup(GroupKey group, String uid) implements ApiWrite {}

  record QueueStatus(
      QueueName queue,
      dev.berth.controllers.crd.QueueStatus before,
      dev.berth.controllers.crd.QueueStatus after)
      implements ApiWrite {}

  // What others act on: CapacityClient, ClaimTemplateClient

  record AskCapacity(CapacityClient.Want want) implements ApiWrite {}

  record WithdrawCapacity(CapacityClient.Want want) implements ApiWrite {}

  record ClearPlaceholder(PodKey placeholder) implements ApiWrite {}

  record ClearRequest(CapacityClient.Request request) implements ApiWrite {}

  record CreateClaimTemplate(String namespace, ShareClaim share) implements ApiWrite {}

  // The lease: LeaseClient

  /// Not repeatable: the elector must know when it sent what.
  record Lease(LeaseClient.Lease lease) implements ApiWrite {
    @Override
    public boolean isRepeatable() {
      return false;
    }
  }
}
