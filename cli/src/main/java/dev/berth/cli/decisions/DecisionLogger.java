package dev.berth.cli.decisions;

import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.PlannerLog;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes a decision log on a thread of its own. The planning thread hands entries over and never
/// waits: what finds no room is dropped and counted, and so is all that depends on it, until the
/// log begins anew.
///
/// A file is full once it has a part of what the folder may have; then the log begins anew in the
/// next one.
public final class DecisionLogger implements PlannerLog, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecisionLogger.class);

  /// Of what the folder may have, so that the oldest eighth at most is deleted at once.
  private static final int FILES = 8;

  private static final int WAITING = 256;
  private static final Duration FLUSH = Duration.ofSeconds(1);

  /// After an error of the disk.
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final Duration LAST = Duration.ofSeconds(5);

  private final DecisionFolder folder;
  private final InstantSource time;
  private final Listener listener;
  private final ArrayBlockingQueue<LogEntry> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread;
  private volatile long ended; // the last of the begun files that takes no more entries
  private volatile Instant pausedUntil = Instant.MIN;
  private volatile boolean isClosing;

  // Of the planning thread.
  private long begun; // files
  private boolean isLost = true; // an entry since the last begin

  // Of the writing thread.
  private Optional<DecisionFile> file = Optional.empty();
  private long opened; // files, failed ones included
  private Instant flushed = Instant.MIN;
  private boolean isFlushed = true;

  /// Hears what becomes of entries; any thread, must not block.
  public interface Listener {
    /// @param bytes by which the file grew
    void written(long bytes);

    /// An entry is lost.
    void dropped();
  }

  public DecisionLogger(DecisionFolder folder, InstantSource time, Listener listener) {
    this.folder = folder;
    this.time = time;
    this.listener = listener;
    this.thread = Thread.ofPlatform().name("berth-decision-log").daemon().unstarted(this::run);
  }

  /// Begins to write.
  public DecisionLogger start() {
    thread.start();
    return this;
  }

  /// As long as the writer is behind, or rests after an error, the planner does not begin anew in
  /// vain.
  @Override
  public boolean mustBegin() {
    return (isLost || ended == begun)
        && waiting.remainingCapacity() > WAITING / 2
        && !time.instant().isBefore(pausedUntil);
  }

  @Override
  public void add(LogEntry entry) {
    boolean begins = entry instanceof LogEntry.Begin;
    if (begins) {
      isLost = false;
      begun++;
    }
    if (isLost || !waiting.offer(entry)) {
      isLost = true;
      listener.dropped();
    }
  }

  /// Entries that wait to be written.
  int behind() {
    return waiting.size();
  }

  private void run() {
    try {
      while (!isClosing || !waiting.isEmpty()) {
        var next = Optional.ofNullable(waiting.poll(FLUSH.toMillis(), TimeUnit.MILLISECONDS));
        guarded(next);
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    try {
      closeFile();
    } catch (IOException failed) {
      tell(failed);
    }
  }

  private void guarded(Optional<LogEntry> next) {
    try {
      if (next.isPresent()) {
        write(next.get());
      }
      flush();
    } catch (IOException failed) {
      file = Optional.empty(); // what was written of it can be read
      pausedUntil = time.instant().plus(PAUSE);
      ended = opened;
      next.ifPresent(_ -> listener.dropped());
      tell(failed);
    }
  }

  private void tell(IOException failed) {
    LOG.atWarn()
        .addKeyValue("folder", folder.path())
        .addKeyValue("why", failed.toString())
        .log("decision log not written");
  }

  private void write(LogEntry entry) throws IOException {
    if (entry instanceof LogEntry.Begin) {
      opened++;
      closeFile();
      file = Optional.of(folder.begin(time.instant(), folder.most() / FILES));
    }
    if (file.isEmpty()) { // its file failed
      listener.dropped();
      return;
    }
    var open = file.get();
    long before = open.size();
    open.write(entry);
    listener.written(open.size() - before);
    isFlushed = false;
    if (open.size() >= folder.most() / FILES || open.hasTooMuch()) {
      ended = opened;
    }
  }

  private void flush() throws IOException {
    if (file.isPresent() && !isFlushed && !time.instant().isBefore(flushed.plus(FLUSH))) {
      long before = file.get().size();
      file.get().flush();
      listener.written(file.get().size() - before);
      flushed = time.instant();
      isFlushed = true;
    }
  }

  private void closeFile() throws IOException {
    var open = file;
    file = Optional.empty();
    if (open.isPresent()) {
      open.get().close();
    }
  }

  /// Writes what waits, for a few seconds at most.
  @Override
  public void close() {
    isClosing = true;
    try {
      thread.join(LAST);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }
}
