package dev.berth.extender.rest;

import dev.berth.extender.bounds.ClientQuota;
import dev.berth.extender.rest.state.Changes;
import dev.berth.extender.rest.state.Revision;
import dev.berth.extender.rest.state.Revisions;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/// Clients that follow changes. While there is one, revisions are made at a steady pace; each
/// client has a bounded buffer and is dropped when that is full. Any thread.
final class EventStreams implements Revisions.Listener {
  private static final Duration PACE = Duration.ofMillis(250);

  private final Revisions revisions;
  private final String instance;
  private final ClientQuota places;
  private final List<EventClient> clients = new CopyOnWriteArrayList<>();
  private final AtomicBoolean paces = new AtomicBoolean();

  /// @param instance of this process: numbers of revisions are its own
  /// @param most clients at the same time
  EventStreams(Revisions revisions, String instance, int most) {
    this.revisions = revisions;
    this.instance = instance;
    this.places = new ClientQuota(most);
    revisions.tell(this);
  }

  @Override
  public void made(Revision revision, Changes changes) {
    if (!clients.isEmpty()) {
      var told = new EventClient.Told(instance + "-" + revision.number(), revision, changes);
      clients.forEach(client -> client.offer(told));
    }
  }

  /// Followers now, for tests.
  int followers() {
    return clients.size();
  }

  /// Writes events until the client is gone or too slow, or its rights have ended. On the client's
  /// own thread.
  ///
  /// @param head sends the head of the answer; before it the answer may still be a problem
  void follow(EventClient.Following following, Supplier<OutputStream> head) throws IOException {
    var visible = following.visible().get();
    String party = visible.party();
    switch (places.take(party, 1)) {
      case TAKEN -> {}
      case FULL ->
          throw RestRequests.refused(
              "Too many clients follow events (raise rest.streams, or close a page)");
      case PARTY_FULL ->
          throw RestRequests.refused(
              "Too many clients of \""
                  + party
                  + "\" follow events, which may have an eighth of rest.streams (close a page)");
    }
    var client = new EventClient(following);
    try {
      var now = revisions.current();
      clients.add(client);
      pace();
      String id = instance + "-" + now.number();
      client.write(head.get(), visible, id);
    } finally {
      clients.remove(client);
      places.leave(party, 1);
    }
  }

  private void pace() {
    if (paces.compareAndSet(false, true)) {
      Thread.ofVirtual().name("rest-pace").start(this::makeRevisions);
    }
  }

  private void makeRevisions() {
    try {
      while (!clients.isEmpty()) {
        Thread.sleep(PACE);
        revisions.current();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      paces.set(false);
      if (!clients.isEmpty() && !Thread.currentThread().isInterrupted()) {
        pace(); // one has come meanwhile
      }
    }
  }
}
