package dev.berth.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class TokenBucketTest {
  private final HandCranked workers = new HandCranked();
  private final TokenBucket bucket = new TokenBucket(2, 3, workers.time());

  @Test
  void givesItsBurstAndThenItsRate() {
    assertThat(taken()).as("burst").isEqualTo(3);
    workers.turn(Duration.ofMillis(1500));
    assertThat(taken()).as("1.5 seconds later").isEqualTo(3);
    workers.turn(Duration.ofMillis(400));
    assertThat(taken()).isZero();
    workers.turn(Duration.ofMillis(100));
    assertThat(taken()).isEqualTo(1);
    workers.turn(Duration.ofHours(1));
    assertThat(taken()).as("never more than the burst").isEqualTo(3);
  }

  @Test
  void saysWhenTheNextWillBeThere() {
    Instant start = workers.time().instant();
    assertThat(bucket.next()).isEqualTo(start);
    taken();
    assertThat(bucket.next()).isEqualTo(start.plusMillis(500));
  }

  private int taken() {
    int taken = 0;
    while (bucket.tryTake()) {
      taken++;
    }
    return taken;
  }
}
