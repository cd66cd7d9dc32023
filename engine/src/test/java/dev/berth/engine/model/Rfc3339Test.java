package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class Rfc3339Test {
  private static final int[] NANOS = {0, 5_000_000, 123_000_000, 120_000, 1, 999_999_999};

  @Test
  void readsWhatTheJdkWrites() {
    var random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      long second = random.nextLong(-62_000_000_000L, 250_000_000_000L);
      var time = Instant.ofEpochSecond(second, NANOS[i % NANOS.length]);
      assertThat(Rfc3339.parse(time.toString())).isEqualTo(time);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-28T23:59:59Z",
        "2024-02-29T00:00:00.1Z",
        "2026-01-01T12:00:00.123456789Z",
        "2026-01-01T12:00:00+02:00",
        "2026-01-01T24:00:00Z",
        "2026-01-01t12:00:00z",
        "+12026-01-01T12:00:00Z",
        "",
        "soon",
        "2026-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-01-01T12:60:00Z",
        "2026-01-01T12:00:61Z",
        "2026-01-01T12:00:00",
        "2026-01-01T12:00:00.Z",
        "2026-01-01T12:00:00.1234567890Z",
        "2026-01-01T12:00:00.12x4Z",
        "2026-01-01T12:00:00,5Z",
        "2026-01-01 12:00:00Z"
      })
  void readsAndRefusesAsTheJdkDoes(String text) {
    var refused = catchThrowable(() -> Instant.parse(text));
    if (refused == null) {
      assertThat(Rfc3339.parse(text)).isEqualTo(Instant.parse(text));
    } else {
      assertThat(catchThrowable(() -> Rfc3339.parse(text))).isInstanceOf(DateTimeException.class);
    }
  }
}
