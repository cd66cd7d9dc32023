package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "90s, PT1M30S",
    "10m, PT10M",
    "1h30m, PT1H30M",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "-1s, PT-1S",
    "+2s, PT2S",
    "300ms, PT0.3S",
    "5us, PT0.000005S",
    "5µs, PT0.000005S",
    "7ns, PT0.000000007S",
    "1h2m3s4ms, PT1H2M3.004S",
  })
  void readsWhatGoReads(String text, Duration duration) {
    assertThat(Durations.parse(text)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "s",
        "1d",
        "1w",
        "1h30",
        "h1",
        "-",
        "+",
        "1 h",
        "1..5h",
        ".s",
        "1H",
        "PT1H",
        "9999999999h",
        "--1s",
        "1m-1s",
        "00",
        "1e3s"
      })
  void whatIsNoDurationIsEmpty(String text) {
    assertThat(Durations.parse(text)).isEmpty();
  }
}
