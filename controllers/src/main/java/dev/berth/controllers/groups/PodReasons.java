package dev.berth.controllers.groups;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.PodConditionClient;
import dev.berth.controllers.groups.ReasonQueue.Pace;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Every pod that waits says why, where people look first: by an event, which `kubectl describe
/// pod` shows, and by the message of its condition `PodScheduled`, which lasts, behind our gate and
/// where we lifted it, until kube-scheduler says something there.
public final class PodReasons {
  private static final Logger LOG = LoggerFactory.getLogger(PodReasons.class);

  /// kube-apiserver keeps an event for an hour (`--event-ttl`).
  private static final Duration BEFORE_IT_EXPIRES = Duration.ofMinutes(50);

  private static final Duration LASTS = Duration.ofDays(365);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final EventRecorder events;
  private final PodConditionClient conditions;
  private final Function<Reason, String> sentences;
  private final Function<PodUid, Optional<Pod>> pods;
  private final ReasonQueue ofEvents;
  private final ReasonQueue ofConditions;
  private final KeyedLoop<PodUid> loop;

  /// What is to be written.
  private final ConcurrentHashMap<PodUid, PendingReason> toBeWritten = new ConcurrentHashMap<>();

  /// @param sentences a reason made a sentence
  /// @param pods as they were seen last
  public PodReasons(
      EventRecorder events,
      PodConditionClient conditions,
      Function<Reason, String> sentences,
      Function<PodUid, Optional<Pod>> pods,
      Workers workers,
      GroupSettings settings) {
    this.events = events;
    this.conditions = conditions;
    this.sentences = sentences;
    this.pods = pods;
    this.loop = new KeyedLoop<>("pod conditions", workers, PACE, this::write);
    this.ofEvents =
        new ReasonQueue(
            new Pace(settings.podReasonDelay(), BEFORE_IT_EXPIRES, settings.eventsPerSecond()),
            workers,
            this::tell);
    this.ofConditions =
        new ReasonQueue(
            new Pace(settings.podReasonDelay(), LASTS, settings.conditionsPerSecond()),
            workers,
            this::isToBeWritten);
  }

  /// These of a group wait now, and no others of it.
  void wait(GroupKey group, List<Pod> waiting, PendingReason why, Instant now) {
    ofEvents.wait(group, waiting, why, now);
    ofConditions.wait(group, waiting.stream().filter(PodReasons::isToBeTold).toList(), why, now);
  }

  void waitNoLonger(GroupKey group) {
    ofEvents.waitNoLonger(group);
    ofConditions.waitNoLonger(group);
  }

  void clear() {
    ofEvents.clear();
    ofConditions.clear();
  }

  void tellDue(Instant now) {
    ofEvents.tellDue(now);
    ofConditions.tellDue(now);
  }

  private void tell(Pod pod, PendingReason why) {
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        why.isWarning(),
        why.code(),
        "Wait",
        why.sentence(sentences));
  }

  private void isToBeWritten(Pod pod, PendingReason why) {
    toBeWritten.put(pod.uid(), why);
    loop.add(pod.uid());
  }

  /// Of a pod that waits no longer nothing is written: it is bound, or its version another.
  private Next write(PodUid uid) throws ClientException {
    var why = Optional.ofNullable(toBeWritten.get(uid));
    var pod = pods.apply(uid).filter(PodReasons::isToBeTold);
    if (why.isPresent() && pod.isPresent()) {
      write(pod.get(), why.get());
    }
    why.ifPresent(told -> toBeWritten.remove(uid, told));
    return Next.done();
  }

  /// @throws ClientException where it should come again, with what is known by then
  private void write(Pod pod, PendingReason why) throws ClientException {
    String message = why.code() + ": " + why.sentence(sentences);
    try {
      conditions.waits(pod.key(), pod.uid(), pod.version(), message);
    } catch (ClientException failed) {
      if (failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT) {
        throw failed;
      }
      LOG.atDebug().addKeyValue("why", failed.getMessage()).log("pod not told why it waits");
    }
  }

  /// Without a gate the condition is kube-scheduler's, but for what we left there.
  private static boolean isToBeTold(Pod pod) {
    var life = pod.life();
    boolean isLeftToSayMore = !pod.written().plan().isNone() && life.refusal().isEmpty();
    return (!life.gates().isEmpty() || isLeftToSayMore)
        && !pod.isBound()
        && !pod.isOver()
        && !life.leaving();
  }
}
