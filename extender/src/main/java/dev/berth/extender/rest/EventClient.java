package dev.berth.extender.rest;

import dev.berth.extender.rest.answer.ChangesAnswer;
import dev.berth.extender.rest.answer.ChangesAnswer.About;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.state.Changes;
import dev.berth.extender.rest.state.Revision;
import dev.berth.extender.wire.RecordJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// One client that follows changes: a buffer of revisions, rendered when they are sent. A revision
/// that changes very much, or one that the client has missed, is told as `reset`: it reads all
/// anew.
final class EventClient {
  /// Revisions that may wait for the client: 16 seconds of changes.
  static final int BUFFER = 64;

  /// More objects are read anew.
  private static final int MOST_OBJECTS = 5000;

  private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
  private static final Duration RIGHTS = Duration.ofSeconds(10);

  /// What a client wants to hear.
  ///
  /// @param visible asked again from time to time: rights end
  /// @param lastSeen the last revision that it has heard of; empty = none
  record Following(About about, Supplier<Visible> visible, String lastSeen) {}

  private final Following following;
  private final BlockingQueue<Told> buffer = new ArrayBlockingQueue<>(BUFFER);
  private volatile boolean isTooSlow;

  /// A revision for all clients: rendered once for those that see everything.
  record Told(String id, Revision revision, Changes changes, Map<About, byte[]> rendered) {
    Told(String id, Revision revision, Changes changes) {
      this(id, revision, changes, new ConcurrentHashMap<>());
    }

    /// Empty where nothing in it is for the client.
    byte[] event(About about, Visible visible) {
      return visible == Visible.ALL
          ? rendered.computeIfAbsent(about, _ -> render(about, visible))
          : render(about, visible);
    }

    private byte[] render(About about, Visible visible) {
      if (changes.size() > MOST_OBJECTS) {
        return EventClient.event("reset", id, Map.of("revision", id));
      }
      var answer = ChangesAnswer.of(id, revision, changes, about, visible);
      return answer.tellsNothing() ? new byte[0] : EventClient.event("changes", id, answer);
    }
  }

  EventClient(Following following) {
    this.following = following;
  }

  /// Does not block. A client whose buffer is full hears no more.
  void offer(Told told) {
    if (!isTooSlow && !buffer.offer(told)) {
      isTooSlow = true;
      buffer.clear();
    }
  }

  /// @param id of the revision from which on it hears of changes
  void write(OutputStream out, Visible atFirst, String id) throws IOException {
    var visible = atFirst;
    long judged = System.nanoTime();
    boolean isNew = following.lastSeen().isEmpty() || following.lastSeen().equals(id);
    out.write(event(isNew ? "revision" : "reset", id, Map.of("revision", id)));
    out.flush();
    try {
      while (!isTooSlow) {
        var told = Optional.ofNullable(buffer.poll(KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS));
        if (System.nanoTime() - judged > RIGHTS.toNanos()) {
          visible = following.visible().get();
          judged = System.nanoTime();
        }
        byte[] event =
            told.isEmpty()
                ? ":\n\n".getBytes(StandardCharsets.UTF_8)
                : told.get().event(following.about(), visible);
        if (event.length > 0) {
          out.write(event);
          out.flush();
        }
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } catch (ApiProblem rightsEnded) {
      return; // the client connects anew and is told why
    }
  }

  private static byte[] event(String name, String id, Object data) {
    var event = new ByteArrayOutputStream();
    event.writeBytes(
        ("event: " + name + "\nid: " + id + "\ndata: ").getBytes(StandardCharsets.UTF_8));
    event.writeBytes(RecordJson.bytes(data)); // JSON has no line breaks
    event.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return event.toByteArray();
  }
}
