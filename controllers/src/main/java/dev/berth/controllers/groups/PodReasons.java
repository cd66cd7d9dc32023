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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Every pod that waits says why, where people look first: by an event, which `kubectl describe
/// pod` shows, and by the message of its condition `PodScheduled`, which lasts, behind Berth's gate
/// and where Berth lifted it. Once kube-scheduler has written that condition of a pod whose gate is
/// lifted, it is kube-scheduler's: two writers would replace each other's words for ever. The
/// annotation `berth.dev/waiting` says it from then on, until the pod waits no longer.
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
  private final ReasonQueue ofAnnotations;
  private final KeyedLoop<PodUid> loop;

  /// What is to be written.
  private final ConcurrentHashMap<PodUid, PendingReason> toBeWritten = new ConcurrentHashMap<>();

  /// The same of annotations; empty = the annotation is to be removed.
  private final ConcurrentHashMap<PodUid, Optional<PendingReason>> toBeAnnotated =
      new ConcurrentHashMap<>();

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
            this::scheduleCondition);
    this.ofAnnotations =
        new ReasonQueue(
            new Pace(settings.podReasonDelay(), LASTS, settings.conditionsPerSecond()),
            workers,
            (pod, why) -> scheduleAnnotation(pod, Optional.of(why)));
  }

  /// These of a group wait now, and no others of it.
  void wait(GroupKey group, List<Pod> waiting, PendingReason why, Instant now) {
    ofEvents.wait(group, waiting, why, now);
    ofConditions.wait(group, waiting.stream().filter(PodReasons::isToBeTold).toList(), why, now);
    ofAnnotations.wait(group, waiting.stream().filter(PodReasons::isAnnotated).toList(), why, now);
  }

  /// Of pods that wait no longer, or whose condition is Berth's again, the annotation is removed.
  ///
  /// @param waiting those of them that wait
  void tidy(List<Pod> pods, List<Pod> waiting) {
    var annotated = new HashSet<PodUid>();
    waiting.stream().filter(PodReasons::isAnnotated).forEach(pod -> annotated.add(pod.uid()));
    for (Pod pod : pods) {
      boolean isThere = !pod.isOver() && !pod.life().leaving();
      if (isThere && pod.written().words().isAnnotated() && !annotated.contains(pod.uid())) {
        scheduleAnnotation(pod, Optional.empty());
      }
    }
  }

  void waitNoLonger(GroupKey group) {
    ofEvents.waitNoLonger(group);
    ofConditions.waitNoLonger(group);
    ofAnnotations.waitNoLonger(group);
  }

  void clear() {
    ofEvents.clear();
    ofConditions.clear();
    ofAnnotations.clear();
  }

  void tellDue(Instant now) {
    ofEvents.tellDue(now);
    ofConditions.tellDue(now);
    ofAnnotations.tellDue(now);
  }

  private void tell(Pod pod, PendingReason why) {
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        why.isWarning(),
        why.code(),
        "Wait",
        why.sentence(sentences));
  }

  private void scheduleCondition(Pod pod, PendingReason why) {
    toBeWritten.put(pod.uid(), why);
    loop.add(pod.uid());
  }

  private void scheduleAnnotation(Pod pod, Optional<PendingReason> why) {
    toBeAnnotated.put(pod.uid(), why);
    loop.add(pod.uid());
  }

  private Next write(PodUid uid) throws ClientException {
    writeCondition(uid);
    writeAnnotation(uid);
    return Next.done();
  }

  private void writeAnnotation(PodUid uid) throws ClientException {
    var due = Optional.ofNullable(toBeAnnotated.get(uid));
    var pod = pods.apply(uid);
    if (due.isPresent() && pod.isPresent()) {
      annotate(pod.get(), due.get());
    }
    due.ifPresent(told -> toBeAnnotated.remove(uid, told));
  }

  /// What was decided for a pod as it was before may not hold any more.
  private void annotate(Pod pod, Optional<PendingReason> why) throws ClientException {
    boolean isDue = why.isPresent() ? isAnnotated(pod) : pod.written().words().isAnnotated();
    if (!isDue) {
      return;
    }
    try {
      conditions.annotates(pod.key(), pod.uid(), why.map(this::words).orElse(""));
    } catch (ClientException failed) {
      if (failed.isPassing()) {
        throw failed;
      }
      LOG.atDebug().addKeyValue("why", failed.getMessage()).log("pod not annotated");
    }
  }

  private String words(PendingReason why) {
    return why.code() + ": " + why.sentence(sentences);
  }

  /// Of a pod that waits no longer nothing is written: it is bound, or its version another.
  private void writeCondition(PodUid uid) throws ClientException {
    var why = Optional.ofNullable(toBeWritten.get(uid));
    var pod = pods.apply(uid).filter(PodReasons::isToBeTold);
    if (why.isPresent() && pod.isPresent()) {
      write(pod.get(), why.get());
    }
    why.ifPresent(told -> toBeWritten.remove(uid, told));
  }

  /// @throws ClientException where it should come again, with what is known by then
  private void write(Pod pod, PendingReason why) throws ClientException {
    try {
      conditions.waits(pod.key(), pod.uid(), pod.version(), words(why));
    } catch (ClientException failed) {
      if (failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT) {
        throw failed;
      }
      LOG.atDebug().addKeyValue("why", failed.getMessage()).log("pod not told why it waits");
    }
  }

  /// Without a gate the condition is kube-scheduler's, but for what Berth left there.
  private static boolean isToBeTold(Pod pod) {
    var life = pod.life();
    boolean isLeftToSayMore = !pod.written().plan().isNone() && !isOfKubeScheduler(pod);
    return (!life.gates().isEmpty() || isLeftToSayMore) && isStillToStart(pod);
  }

  /// Of a pod whose gate Berth lifted, and of which kube-scheduler has said something since.
  private static boolean isAnnotated(Pod pod) {
    return pod.life().gates().isEmpty()
        && !pod.written().plan().isNone()
        && isOfKubeScheduler(pod)
        && isStillToStart(pod);
  }

  private static boolean isOfKubeScheduler(Pod pod) {
    return !pod.life().refusal().isEmpty() || pod.written().words().isConditionTaken();
  }

  private static boolean isStillToStart(Pod pod) {
    return !pod.isBound() && !pod.isOver() && !pod.life().leaving();
  }
}
