package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ResourceVersion;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Keeps a [Watcher] in step with all objects of one kind: a list, then changes from there.
///
/// One thread delivers everything in order. A stream that ends or breaks goes on from the last
/// version (bookmarks keep that recent); a version that the server does not know any more means a
/// new list, whose absentees are delivered as gone. Pauses between attempts double, and a stream
/// that ends at once counts as a failure, so no state of the server makes Berth list it in a tight
/// loop. A stream that says nothing runs into the read time-out of its connection.
final class Reflector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Reflector.class);

  /// Seconds after which the server ends a watch of its own accord: between these.
  private static final int SHORTEST_WATCH = 300;

  private static final int LONGEST_WATCH = 600;

  /// A watch that lasted so long has worked, though it may have delivered nothing.
  private static final Duration LASTED = Duration.ofSeconds(10);

  private static final Duration PASSING = Duration.ofSeconds(60);

  /// A single broken stream is nothing to tell a person about.
  private static final int TELL_AFTER = 3;

  private final Kind kind;
  private final ListAndWatch server;
  private final Watcher watcher;
  private final WatchSettings settings;
  private final WatchClock clock;
  private final WatchObserver observer;
  private final Thread thread;

  // Of the thread.
  private final ObjectIndex known = new ObjectIndex();
  private String version = "";
  private String last = ""; // version that was read, of any list or event
  private Metrics.Cause cause = Metrics.Cause.START;
  private Instant began = Instant.EPOCH; // the last watch
  private int failures;
  private boolean told;
  private boolean open; // the server has said yes to the watch
  private boolean readable; // it was read since it was refused for good
  private Optional<Instant> refused = Optional.empty(); // since then

  private volatile boolean stopped;
  private volatile boolean synced;
  private volatile boolean streaming;
  private volatile boolean absent; // not installed, or not to be read: there are none
  private volatile Instant heard = Instant.EPOCH;

  Reflector(
      Kind kind,
      Connection connection,
      Watcher watcher,
      WatchSettings settings,
      WatchClock clock,
      WatchObserver observer) {
    this.kind = kind;
    this.server = new ListAndWatch(kind, connection);
    this.watcher = watcher;
    this.settings = settings;
    this.clock = clock;
    this.observer = observer;
    this.thread = Thread.ofPlatform().daemon().name("watch-" + kind.plural()).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  Kind kind() {
    return kind;
  }

  boolean isSynced() {
    return synced;
  }

  /// Delivered once, and heard of lately.
  boolean isFresh() {
    Duration bound = streaming ? settings.silenceTimeout() : settings.patience();
    if (absent) { // it is asked for now and then alone
      bound = bound.plus(settings.absent());
    }
    return synced && !heard.plus(bound).isBefore(clock.time().instant());
  }

  /// How long ago the server was heard; empty = not yet. A kind that is not installed is asked for
  /// now and then alone.
  Optional<Duration> silence() {
    return heard.equals(Instant.EPOCH)
        ? Optional.empty()
        : Optional.of(Duration.between(heard, clock.time().instant()));
  }

  @Override
  public void close() {
    stopped = true;
    server.cancel();
    thread.interrupt();
  }

  private void run() {
    while (!stopped) {
      Duration pause = round();
      if (!stopped && !sleep(pause)) {
        return;
      }
    }
  }

  /// One list, where Berth needs one, and one watch.
  ///
  /// @return how long to wait before the next
  private Duration round() {
    try {
      if (version.isEmpty()) {
        list();
      }
      return watch() ? goesOn() : failed("the stream ends at once");
    } catch (WatchFailure failure) {
      return stopped ? Duration.ZERO : after(failure);
    } catch (IOException broken) {
      if (streaming && hasLasted()) {
        failures = 0; // a quiet kind shows nothing else that its stream worked
      }
      if (open && ListAndWatch.isEnd(broken)) {
        heard = clock.time().instant(); // nothing came before it that Berth has not read
      }
      return stopped ? Duration.ZERO : failed(String.valueOf(broken));
    } catch (RuntimeException | AssertionError internalError) {
      if (!stopped) {
        LOG.atError()
            .addKeyValue("kind", kind)
            .setCause(internalError)
            .log("internal error in a watch: lists anew");
      }
      listAnew(Metrics.Cause.BROKEN);
      return pause(++failures);
    } finally {
      streaming = false;
      open = false;
    }
  }

  private void list() throws IOException {
    known.listBegins();
    long answers = observer.answered().soFar();
    String listed = "";
    String next = "";
    do {
      var page = server.list(settings.page(), next, object -> listed(object, answers));
      heard = clock.time().instant();
      if (ResourceVersion.isBefore(page.version(), last)) {
        goneBack(kind.plural() + " were of version " + last + " and are of " + page.version());
        last = page.version(); // told once
      }
      listed = listed.isEmpty() ? page.version() : listed;
      next = page.next();
    } while (!next.isEmpty());
    observer.metrics().listed(kind, cause);
    known.vanished(listed).forEach(gone -> watcher.gone(kind, gone));
    version = listed;
    last = listed;
    mayBeRead();
    watcher.readable(kind, true);
    inStep();
    watcher.reached(kind, version);
  }

  private void listed(Map<String, Object> object, long answers) {
    if (known.wasLater(object) || observer.answered().isPast(kind, object, answers)) {
      String name = JsonBodies.at(object, "metadata", "name");
      String is = ObjectIndex.version(object);
      goneBack(kind.plural() + " show " + name + " of version " + is + ", which is past");
    }
    seen(object);
  }

  /// The ledger takes what is of a lower version for late news: it can learn nothing from such a
  /// server.
  private void goneBack(String what) {
    LOG.atError()
        .addKeyValue("kind", kind)
        .addKeyValue("what", what)
        .log("etcd went back to an earlier state");
    observer.wentBack().accept("etcd went back to an earlier state: " + what);
  }

  private void inStep() {
    if (!synced) {
      LOG.atInfo().addKeyValue("kind", kind).log("watch delivered its first list");
    }
    synced = true; // first: the listener may ask at once
    watcher.synced(kind);
  }

  /// @return whether it worked: it delivered something, or lasted
  private boolean watch() throws IOException {
    began = clock.time().instant();
    String from = version;
    int seconds =
        SHORTEST_WATCH + (int) (clock.chance().getAsDouble() * (LONGEST_WATCH - SHORTEST_WATCH));
    // kube-apiserver may send not even headers before the first event or bookmark: asked counts as
    // open, a dead connection is found by its pings, a refused one fails at once
    streaming = true;
    server.watch(version, seconds, this::opened, this::changed);
    heard = clock.time().instant(); // the server ends it, and had nothing more to say
    return !version.equals(from) || hasLasted();
  }

  private boolean hasLasted() {
    return !began.plus(LASTED).isAfter(clock.time().instant());
  }

  private void opened() {
    open = true;
    heard = clock.time().instant();
  }

  private void changed(ListAndWatch.Change change, Map<String, Object> object) {
    heard = clock.time().instant();
    switch (change) {
      case ADDED, MODIFIED -> seen(object);
      case DELETED -> {
        observer.metrics().delivered(kind);
        known.forget(object);
        watcher.gone(kind, object);
      }
      case BOOKMARK -> {}
    }
    version = ObjectIndex.version(object);
    last = version;
    watcher.reached(kind, version);
    works();
  }

  private void seen(Map<String, Object> object) {
    observer.metrics().delivered(kind);
    known.note(object).ifPresent(before -> watcher.gone(kind, before));
    watcher.seen(kind, object);
  }

  private Duration after(WatchFailure failure) {
    return switch (failure.kind()) {
      case EXPIRED -> {
        LOG.atInfo()
            .addKeyValue("kind", kind)
            .addKeyValue("why", failure.getMessage())
            .log("watch lists anew");
        listAnew(Metrics.Cause.EXPIRED);
        yield pause(++failures);
      }
      case ABSENT ->
          absent(
              kind.isOptional()
                  ? "kind is not served to us: taken as empty until it is"
                  : "kind is not installed: taken as empty until it is (apply Berth's CRDs)");
      case REFUSED ->
          kind.isOptional() && !isPassing()
              ? absent("kind may not be read: taken as empty until it may (manifests/base/rbac)")
              : failed(String.valueOf(failure.getMessage()));
      case BROKEN -> failed(String.valueOf(failure.getMessage()));
    };
  }

  /// A kube-apiserver that has just started refuses for some seconds what it allowed before: what
  /// was read so far stands meanwhile.
  private boolean isPassing() {
    var now = clock.time().instant();
    refused = Optional.of(refused.orElse(now));
    return readable && now.isBefore(refused.get().plus(PASSING));
  }

  /// The kind is not installed, or is none that Berth needs and may not be read: there are none of
  /// it, and Berth looks again now and then.
  private Duration absent(String why) {
    if (!told) {
      told = true;
      LOG.atLevel(kind.isOptional() ? Level.INFO : Level.WARN)
          .addKeyValue("kind", kind)
          .addKeyValue("path", kind.path())
          .log(why);
    }
    heard = clock.time().instant();
    absent = true;
    readable = false;
    known.hidden(version).forEach(gone -> watcher.gone(kind, gone));
    listAnew(Metrics.Cause.ABSENT);
    watcher.readable(kind, false);
    inStep();
    failures = 0;
    return jittered(settings.absent());
  }

  private Duration failed(String why) {
    failures++;
    if (failures == TELL_AFTER) {
      told = true;
      LOG.atWarn()
          .addKeyValue("kind", kind)
          .addKeyValue("path", kind.path())
          .addKeyValue("why", why)
          .log("watch does not work: tries again");
    } else {
      LOG.atDebug().addKeyValue("kind", kind).addKeyValue("why", why).log("watch broken");
    }
    if (failures % settings.rounds() == 0) {
      listAnew(Metrics.Cause.BROKEN); // perhaps what comes next from this place cannot be read
    }
    return pause(failures);
  }

  private Duration goesOn() {
    works();
    return pause(1);
  }

  private void works() {
    if (told) {
      LOG.atInfo().addKeyValue("kind", kind).log("watch works again");
    }
    told = false;
    failures = 0;
    mayBeRead();
  }

  private void mayBeRead() {
    absent = false;
    readable = true;
    refused = Optional.empty();
  }

  private void listAnew(Metrics.Cause why) {
    version = "";
    cause = why;
  }

  private Duration pause(int failure) {
    long nanos = settings.firstPause().toNanos();
    for (int i = 1; i < failure && nanos < settings.longestPause().toNanos(); i++) {
      nanos *= 2;
    }
    return jittered(Duration.ofNanos(Math.min(nanos, settings.longestPause().toNanos())));
  }

  private Duration jittered(Duration pause) {
    long nanos = pause.toNanos();
    return Duration.ofNanos(nanos / 2 + (long) (clock.chance().getAsDouble() * (nanos / 2)));
  }

  private static boolean sleep(Duration pause) {
    try {
      Thread.sleep(pause);
      return true;
    } catch (InterruptedException stopping) {
      return false;
    }
  }
}
