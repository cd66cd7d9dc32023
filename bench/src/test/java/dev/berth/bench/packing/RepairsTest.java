package dev.berth.bench.packing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.ours.Repair.Repaired;
import dev.berth.bench.packing.Repairs.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RepairsTest {
  /// Of 10 GPUs 8 and 7 are used, and 9 and 8 after 3 and 1 moves.
  @Test
  void aRowIsTheMeanOverTheSeeds() {
    var out = new ByteArrayOutputStream();
    Repairs.print(
        List.of(
            new Result("made", 42, 10_000, new Repaired(6, 2, 3, 1, 8_000, 9_000)),
            new Result("made", 43, 10_000, new Repaired(4, 1, 1, 0, 7_000, 8_000))),
        new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(out.toString(StandardCharsets.UTF_8).replaceAll(" +", " "))
        .contains("made 75.00 85.00 +10.00 ± 0.00 2.0 2.0 1.5 / 5.0 0.5");
  }
}
