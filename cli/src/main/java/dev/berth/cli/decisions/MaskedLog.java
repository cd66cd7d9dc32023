package dev.berth.cli.decisions;

import dev.berth.engine.format.FormatException;
import dev.berth.engine.format.ValueFormat;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Plan;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.LogEntry.Outcome;
import dev.berth.engine.replay.PlannerReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A copy of a log in which names are masked. Each plan is made again from the masked snapshot, so
/// that words of the planner are of masked names, too; it is counted where it is not the masked
/// plan.
public final class MaskedLog {
  private static final ValueFormat<LogEntry> ENTRIES = DecisionFile.ENTRIES;

  private MaskedLog() {}

  /// @param plans in the log
  /// @param others of these plans decide otherwise with masked names
  public record Result(long plans, long others) {}

  /// @param into a folder without a log
  public static Result write(List<Path> files, Path into) throws IOException, DecisionLogException {
    Files.createDirectories(into);
    for (Path file : files) {
      if (Files.exists(into.resolve(file.getFileName()))) {
        throw new DecisionLogException(
            "--mask is \""
                + into
                + "\", which has a "
                + file.getFileName()
                + ": name a folder without a log");
      }
    }
    var texts = new MaskedNames.Texts();
    for (Path file : files) {
      collect(file, texts);
    }
    var names = texts.masked();
    long plans = 0;
    long others = 0;
    for (Path file : files) {
      var result = write(file, into.resolve(file.getFileName()), names);
      plans += result.plans();
      others += result.others();
    }
    return new Result(plans, others);
  }

  private static void collect(Path file, MaskedNames.Texts texts)
      throws IOException, DecisionLogException {
    var writer = ENTRIES.new Writer(texts);
    try (var reader = new DecisionFileReader(file)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        var _ = writer.write(next.get());
        switch (next.get()) {
          case LogEntry.Begin _ -> {}
          case LogEntry.Accounted(var snapshot) -> texts.see(snapshot);
          case LogEntry.Planned planned -> texts.see(planned.snapshot());
        }
      }
    }
  }

  private static Result write(Path file, Path into, MaskedNames names)
      throws IOException, DecisionLogException {
    var masking = ENTRIES.new Writer(names);
    var masked = ENTRIES.new Reader();
    var replay = new PlannerReplay();
    long plans = 0;
    long others = 0;
    try (var reader = new DecisionFileReader(file);
        var written = new DecisionFile(into)) {
      for (var next = reader.next(); next.isPresent(); next = reader.next()) {
        var entry = masked.read(masking.write(next.get()));
        var verdict = replay.again(entry);
        if (entry instanceof LogEntry.Planned planned) {
          plans++;
          var again =
              verdict instanceof PlannerReplay.Verdict.Different(Outcome outcome, _)
                  ? outcome
                  : planned.outcome();
          others += decidesAlike(planned.outcome(), again) ? 0 : 1;
          written.write(planned.with(again));
        } else {
          written.write(entry);
        }
      }
    } catch (FormatException ours) {
      throw new IllegalStateException("what was written cannot be read", ours);
    }
    return new Result(plans, others);
  }

  /// But for words.
  private static boolean decidesAlike(Outcome one, Outcome other) {
    if (!(one instanceof Outcome.Made(Plan a) && other instanceof Outcome.Made(Plan b))) {
      return one.equals(other);
    }
    boolean alike =
        a.decisions().size() == b.decisions().size() && a.nextLook().equals(b.nextLook());
    for (int i = 0; alike && i < a.decisions().size(); i++) {
      alike = decidesAlike(a.decisions().get(i), b.decisions().get(i));
    }
    return alike;
  }

  private static boolean decidesAlike(Decision one, Decision other) {
    return one instanceof Decision.Wait(var group, var reason, var ahead)
        ? other instanceof Decision.Wait(var same, var words, var alike)
            && group.equals(same)
            && ahead.equals(alike)
            && reason.code().equals(words.code())
        : one.equals(other);
  }
}
