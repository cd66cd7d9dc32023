package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void soManyAtOnceAndSoManyASecond() {
    long start = 1;
    var pace = new Pace(start);
    for (int i = 0; i < 500; i++) {
      assertThat(pace.takes(start)).isTrue();
    }
    assertThat(pace.takes(start)).isFalse();
    for (int i = 0; i < 100; i++) {
      assertThat(pace.takes(start + SECOND)).isTrue();
    }
    assertThat(pace.takes(start + SECOND)).isFalse();
  }
}
