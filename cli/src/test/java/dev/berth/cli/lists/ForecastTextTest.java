package dev.berth.cli.lists;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.crd.ForecastStatus;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// How forecasts of starts are told in a table and in a sentence.
final class ForecastTextTest {
  private static final ForecastStatus FORECAST =
      new ForecastStatus(
          Instant.parse("2026-01-01T14:10:00Z"),
          Instant.parse("2026-01-02T03:30:00Z"),
          Instant.parse("2026-01-01T13:58:00Z"));

  private static String cell(String now) {
    return ForecastText.cell(FORECAST, Instant.parse(now));
  }

  private static String sentence(String now) {
    return ForecastText.sentence(FORECAST, Instant.parse(now));
  }

  @Test
  void aTableTellsHowLongItTakes() {
    assertThat(cell("2026-01-01T14:00:00Z")).isEqualTo("~10m (p90 13h)");
  }

  @Test
  void aTableTellsTheAgeOfAnOldOne() {
    assertThat(cell("2026-01-01T14:13:00Z")).isEqualTo("late (p90 13h)");
    assertThat(cell("2026-01-01T14:13:01Z")).isEqualTo("late (p90 13h, 15m old)");
    assertThat(cell("2026-01-02T14:00:00Z")).isEqualTo("late (p90 late, 24h old)");
  }

  @Test
  void aSentenceTellsTheDayWhereItIsAnother() {
    assertThat(sentence("2026-01-01T14:00:00Z"))
        .isEqualTo(
            "Likely to start: by 14:10 with even odds, by 2026-01-02 03:30 with nine of ten (UTC;"
                + " forecast of 2m ago).");
  }

  @Test
  void aSentenceTellsWhatHasPassed() {
    assertThat(sentence("2026-01-02T02:00:00Z"))
        .isEqualTo(
            "Likely to start: by 2026-01-01 14:10 (passed) with even odds, by 03:30 with nine of"
                + " ten (UTC; forecast of 12h ago).");
  }
}
