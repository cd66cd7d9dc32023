package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.kube.Api.Ask;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Events of a real cluster (`events.k8s.io/v1`), written beside the caller: `tell` returns at
/// once. Where too many are under way already, an event is lost and counted: they must not get in
/// the way of writes that matter. What was done has a longer line of its own: no other process
/// tells it, and what is so is told again.
///
/// Behind a fence what is so is told by a leader alone, and what was done ([EventRecorder#DEEDS])
/// by the process that did it. The first event of its words on an object has a name that every
/// process gives it: the next leader, which begins with the same words, does not write it twice.
/// What one process tells again is an event of its own.
public final class ApiEvents implements EventRecorder {
  private static final Logger LOG = LoggerFactory.getLogger(ApiEvents.class);
  private static final int WAITING = 256;
  private static final int DEEDS_WAITING = 2048;
  private static final int IN_FLIGHT = 4;

  /// In bytes, as the server counts.
  private static final int LONGEST_NOTE = 1024;

  private static final int LONGEST_NAME = 230;
  private static final int DIGEST_BYTES = 10;

  /// Before what was not written is tried again: for a minute in all.
  private static final List<Duration> PAUSES =
      Stream.of(1, 2, 4, 8, 15, 30).map(Duration::ofSeconds).toList();

  /// Go's MicroTime takes exactly six digits.
  private static final DateTimeFormatter MICRO_TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /// Words that are known as told.
  private static final int REMEMBERED = 20_000;

  /// What waits to be written, and how.
  private record EventQueue(Api api, int size, Semaphore free) {
    EventQueue(Api api, int size) {
      this(api.bestEffort(IN_FLIGHT), size, new Semaphore(size));
    }

    /// @return whether all of it is written within that time
    boolean isEmptyWithin(long nanos) throws InterruptedException {
      boolean empty = free.tryAcquire(size, nanos, TimeUnit.NANOSECONDS);
      free.release(empty ? size : 0);
      return empty;
    }
  }

  private final EventQueue words;
  private final EventQueue deeds;
  private final String instance;
  private final InstantSource time;
  private final List<Duration> pauses;
  private final AtomicLong sequence;
  private final LinkedHashSet<String> told = new LinkedHashSet<>(); // guarded by itself
  private final CountDownLatch hurry = new CountDownLatch(1);

  /// @param instance this replica, such as the name of its pod
  public ApiEvents(Api api, String instance, InstantSource time) {
    this(api, api, instance, time, PAUSES);
  }

  /// @param ofDeeds writes what was done, behind no fence
  /// @param instance this replica, such as the name of its pod
  public ApiEvents(Api api, Api ofDeeds, String instance, InstantSource time) {
    this(api, ofDeeds, instance, time, PAUSES);
  }

  /// @param pauses before what was not written is tried again
  ApiEvents(Api api, Api ofDeeds, String instance, InstantSource time, List<Duration> pauses) {
    this.pauses = List.copyOf(pauses);
    this.words = new EventQueue(api, WAITING);
    this.deeds = new EventQueue(ofDeeds, DEEDS_WAITING);
    this.instance = instance.isEmpty() ? "berth" : instance;
    this.time = time;
    this.sequence = new AtomicLong(time.millis() << 20);
  }

  @Override
  public void tell(Regarding object, boolean warning, String reason, String action, String note) {
    var line = DEEDS.contains(action) ? deeds : words;
    if (!line.free().tryAcquire()) {
      line.api().metrics().eventLost();
      return;
    }
    Instant now = time.instant();
    Thread.ofVirtual()
        .name("event")
        .start(() -> {
          try {
            write(line.api(), object, warning, reason, action, note, now);
          } finally {
            line.free().release();
          }
        });
  }

  private void write(
      Api by,
      Regarding object,
      boolean warning,
      String reason,
      String action,
      String note,
      Instant now) {
    String namespace = object.namespace().isEmpty() ? "default" : object.namespace();
    var body =
        JsonBodies.object(
            "apiVersion",
            "events.k8s.io/v1",
            "kind",
            "Event",
            "metadata",
            JsonBodies.object("name", name(object, reason, action, note), "namespace", namespace),
            "eventTime",
            MICRO_TIME.format(now),
            "type",
            warning ? "Warning" : "Normal",
            "reason",
            reason,
            "action",
            action,
            "note",
            TextLimits.message(note, LONGEST_NOTE),
            "regarding",
            JsonBodies.object(
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
            TextLimits.cut(instance, 128));
    String what = "write an event on " + object.kind() + " " + namespace + "/" + object.name();
    boolean last = false;
    for (int tries = 0; !isWritten(by, namespace, body, what, last); tries++) {
      last = isHurriedWithin(pauses.get(tries)) || tries + 1 == pauses.size();
    }
  }

  private boolean isHurriedWithin(Duration pause) {
    try {
      return hurry.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /// The process is about to end: what waits to be tried again is tried at once, for the last time.
  ///
  /// @return whether nothing waits any more, within that time
  public boolean hurry(Duration within) {
    hurry.countDown();
    try {
      long until = System.nanoTime() + within.toNanos();
      boolean told = deeds.isEmptyWithin(within.toNanos());
      return words.isEmptyWithin(until - System.nanoTime()) && told;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// A kube-apiserver that restarts gives no answer, and then refuses for some seconds what it
  /// allows. What is not written is tried again, under the same name, so it is written once: the
  /// event of an eviction comes from nowhere else, and a pod that waits would have no word of why
  /// until its reason changes.
  ///
  /// @return whether there is nothing more to do
  private boolean isWritten(
      Api by, String namespace, Map<String, Object> body, String what, boolean isLast) {
    try {
      ApiPath path = ApiPath.in("events.k8s.io/v1", namespace, "events");
      by.write(
          Write.EVENT,
          () -> {
            Answer answer = by.send(what, Ask.post(path, JsonBodies.text(body)));
            if (!answer.isDone() && !answer.reason().equals("AlreadyExists")) {
              throw answer.failure(what);
            }
          });
      return true;
    } catch (ClientException lost) {
      if (lost.kind() != ClientException.Kind.GONE && !isLast) {
        return false;
      }
      by.metrics().eventLost();
      LOG.atDebug().addKeyValue("why", lost.getMessage()).log("event lost");
      return true;
    }
  }

  private String name(Regarding object, String reason, String action, String note) {
    var words = String.join("\n", object.kind(), object.uid(), reason, action, note);
    String digest = digest(words);
    boolean isFirst;
    synchronized (told) {
      isFirst = told.add(digest);
      if (told.size() > REMEMBERED) {
        told.removeFirst();
      }
    }
    return TextLimits.cut(object.name(), LONGEST_NAME)
        + "."
        + (isFirst ? digest : Long.toHexString(sequence.incrementAndGet()));
  }

  private static String digest(String words) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(words.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible); // every JDK has it
    }
  }
}
