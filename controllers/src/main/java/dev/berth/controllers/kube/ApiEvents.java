package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Events;
import dev.berth.controllers.kube.Api.Ask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Events of a real cluster (`events.k8s.io/v1`), written beside the caller: `tell` returns at
/// once. Where too many are under way already, an event is lost and counted: they must not get in
/// the way of writes that matter.
public final class ApiEvents implements Events {
  private static final Logger LOG = LoggerFactory.getLogger(ApiEvents.class);
  private static final int WAITING = 256;
  private static final int IN_FLIGHT = 4;

  /// In bytes, as the server counts.
  private static final int LONGEST_NOTE = 1024;

  private static final int LONGEST_NAME = 230;
  private static final int ATTEMPTS = 4;
  private static final Duration LATER = Duration.ofSeconds(10);

  /// Go's MicroTime takes exactly six digits.
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Api api;
  private final String instance;
  private final InstantSource time;
  private final Duration later;
  private final AtomicLong sequence;
  private final Semaphore waiting = new Semaphore(WAITING);

  /// @param instance this replica, such as the name of its pod
  public ApiEvents(Api api, String instance, InstantSource time) {
    this(api, instance, time, LATER);
  }

  /// @param later before what was not written is tried again
  ApiEvents(Api api, String instance, InstantSource time, Duration later) {
    this.later = later;
    this.api = api.bestEffort(IN_FLIGHT);
    this.instance = instance.isEmpty() ? "berth" : instance;
    this.time = time;
    this.sequence = new AtomicLong(time.millis() << 20);
  }

  @Override
  public void tell(Regarding object, boolean warning, String reason, String action, String note) {
    if (!waiting.tryAcquire()) {
      api.metrics().eventLost();
      return;
    }
    Instant now = time.instant();
    Thread.ofVirtual()
        .name("event")
        .start(() -> {
          try {
            write(object, warning, reason, action, note, now);
          } finally {
            waiting.release();
          }
        });
  }

  private void write(
      Regarding object, boolean warning, String reason, String action, String note, Instant now) {
    String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
    var body =
        Json.object(
            "apiVersion",
            "events.k8s.io/v1",
            "kind",
            "Event",
            "metadata",
            Json.object("name", name(object), "namespace", namespace),
            "eventTime",
            MICRO_TIME.format(now),
            "type",
            warning ? "Warning" : "Normal",
            "reason",
            reason,
            "action",
            action,
            "note",
            Texts.message(note, LONGEST_NOTE),
            "regarding",
            Json.object(
                "apiVersion",
                object.apiVersion(),
                "kind",
                object.kind(),
                "namespace",
                object.namespace(),
                "name",
                object.name(),
                "uid",
                object.uid()),
            "reportingController",
            "berth.dev/berth",
            "reportingInstance",
            Texts.cut(instance, 128));
    String what = "write an event on " + object.kind() + " " + namespace + "/" + object.name();
    for (int attempt = 1; !isWritten(namespace, body, what, attempt == ATTEMPTS); attempt++) {
      try {
        Thread.sleep(later);
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// A kube-apiserver that restarts gives no answer, and then refuses for some seconds what it
  /// allows. What is not written is tried again, under the same name, so it is written once: the
  /// event of an eviction comes from nowhere else, and a pod that waits would have no word of why
  /// until its reason changes.
  ///
  /// @return whether there is nothing more to do
  private boolean isWritten(
      String namespace, Map<String, Object> body, String what, boolean isLast) {
    try {
      ApiPath path = ApiPath.in("events.k8s.io/v1", namespace, "events");
      api.write(
          Write.EVENT,
          () -> {
            Answer answer = api.send(what, Ask.post(path, Json.text(body)));
            if (!answer.isDone() && !answer.reason().equals("AlreadyExists")) {
              throw answer.failure(what);
            }
          });
      return true;
    } catch (DoorException lost) {
      if (lost.kind() != DoorException.Kind.GONE && !isLast) {
        return false;
      }
      api.metrics().eventLost();
      LOG.atDebug().addKeyValue("why", lost.getMessage()).log("event lost");
      return true;
    }
  }

  private String name(Regarding object) {
    return Texts.cut(object.name(), LONGEST_NAME)
        + "."
        + Long.toHexString(sequence.incrementAndGet());
  }
}
