package dev.berth.engine.explain;

import dev.berth.engine.model.Idleness;
import dev.berth.engine.session.IdleEnd;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// That the GPUs of a group do nothing, and what follows from it.
public final class IdleSentences {
  private IdleSentences() {}

  /// `Its 8 GPUs are idle since 2026-01-01T10:00:00Z, by the idle rule of queue research, 1h below
  /// 5 %. At 2026-01-01T11:15:00Z its pods are evicted, unless it uses a GPU before.`
  ///
  /// @param end of a group that is idle
  /// @param now when it is told, if it is not yet
  public static String of(IdleEnd end, Instant now) {
    var idle = end.idle();
    String first =
        gpus(idle) + " idle since " + toSecond(idle.since()) + ", by " + idle.rule().words() + ".";
    return idle.rule().evicts()
        ? first
            + " At "
            + toSecond(end.leavesAtIfTold(now))
            + " its pods are evicted, unless it uses a GPU before."
        : first;
  }

  private static String gpus(Idleness idle) {
    return idle.gpus() == 1 ? "Its GPU is" : "Its " + idle.gpus() + " GPUs are";
  }

  private static Instant toSecond(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS);
  }
}
