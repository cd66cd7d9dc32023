package dev.berth.cli.decisions;

import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.PlannerLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A decision log that is written where it is told, for simulations: there no time passes
/// meanwhile. Each planner has files of its own.
///
/// Of one thread.
public final class DirectLog implements AutoCloseable {
  private final DecisionFolder folder;
  private final List<DecisionFile> open = new ArrayList<>();

  /// @param folder of which nothing is deleted
  public DirectLog(DecisionFolder folder) {
    this.folder = folder;
  }

  /// The log of one planner.
  public PlannerLog ofPlanner() {
    return new PlannerLog() {
      private final List<DecisionFile> mine = new ArrayList<>();
      private Optional<LogEntry> begin = Optional.empty(); // until it is known when that was

      @Override
      public boolean mustBegin() {
        return mine.isEmpty() || mine.getLast().hasTooMuch();
      }

      @Override
      public void add(LogEntry entry) {
        try {
          switch (entry) {
            case LogEntry.Begin _ -> begin = Optional.of(entry);
            case LogEntry.Accounted(var snapshot) -> write(snapshot.now(), entry);
            case LogEntry.Planned planned -> write(planned.snapshot().now(), entry);
          }
        } catch (IOException failed) {
          throw new UncheckedIOException(failed);
        }
      }

      private void write(Instant now, LogEntry entry) throws IOException {
        if (begin.isPresent()) {
          mine.add(folder.begin(now, 0));
          open.add(mine.getLast());
          mine.getLast().write(begin.get());
          begin = Optional.empty();
        }
        mine.getLast().write(entry);
      }
    };
  }

  @Override
  public void close() throws IOException {
    for (DecisionFile each : open) {
      each.close();
    }
  }
}
