package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenPlanTest {
  @Test
  void aPlanIsReadAsItWasWritten() {
    var plan =
        new WrittenPlan(
            new Placement(new NodeName("n1"), List.of(0, 2), 500),
            "g-1",
            3,
            Instant.parse("2026-01-01T00:00:30Z"),
            ChargedTo.NONE);
    assertThat(WrittenPlan.parse(plan.text())).contains(plan);
  }

  /// Another client may have written it: the ledger counts each slot once.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "node=n1 slots=4,4 millis=500 until=2026-01-01T00:00:30Z",
        "node=n1 slots=2,0 millis=500 until=2026-01-01T00:00:30Z",
        "node=n1 slots=-1 millis=500 until=2026-01-01T00:00:30Z",
        "node=n1 slots=1 millis=1001 until=2026-01-01T00:00:30Z",
        "node=n1 slots=1 until=2026-01-01T00:00:30Z",
        "node=n1 slots=x millis=500 until=2026-01-01T00:00:30Z",
        "node=n1 until=tomorrow",
        "node=n1 unknown=1 until=2026-01-01T00:00:30Z",
        ""
      })
  void whatIsNoPlanOfOursIsNone(String text) {
    assertThat(WrittenPlan.parse(text)).isEmpty();
  }
}
