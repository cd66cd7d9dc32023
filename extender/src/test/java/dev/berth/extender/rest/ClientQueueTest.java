package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientQueueTest {
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);

  private final BlockingQueue<String> admitted = new LinkedBlockingQueue<>();

  private void waits(ClientQueue line, String party) throws InterruptedException {
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                admitted.add(party + (line.take(party, LONG) ? "" : " refused"));
              } catch (InterruptedException stopping) {
                admitted.add(party + " interrupted");
              }
            });
    while (thread.isAlive() && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
  }

  private String next() throws InterruptedException {
    return String.valueOf(admitted.poll(1, TimeUnit.MINUTES));
  }

  @Test
  void aPartyThatHasItsPartWaitsAndOthersPassIt() throws Exception {
    var line = new ClientQueue(4, 16);
    assertThat(line.take("alice", AT_ONCE)).as("a place for alice").isTrue();
    assertThat(line.take("alice", AT_ONCE)).as("a place for alice").isFalse();
    waits(line, "alice");
    assertThat(line.take("bob", AT_ONCE)).as("a place for bob").isTrue();
    assertThat(line.take("", AT_ONCE)).as("a place for viewers of everything").isTrue();
    assertThat(admitted).isEmpty();
    line.leave("bob");
    assertThat(admitted).isEmpty();
    line.leave("alice");
    assertThat(next()).isEqualTo("alice");
    assertThat(line.take("alice", AT_ONCE)).as("it has the place now").isFalse();
  }

  @Test
  void theFirstPartyToComeIsFirst() throws Exception {
    var line = new ClientQueue(4, 16);
    for (String party : new String[] {"a", "b", "c"}) {
      assertThat(line.take(party, AT_ONCE)).as("a place for each party").isTrue();
    }
    waits(line, "d");
    waits(line, "a");
    waits(line, "e");
    assertThat(line.take("", AT_ONCE)).as("the rest is for viewers of everything").isTrue();
    line.leave("a");
    assertThat(next()).isEqualTo("d");
    line.leave("b");
    assertThat(next()).isEqualTo("a");
    line.leave("c");
    assertThat(next()).isEqualTo("e");
    assertThat(admitted).isEmpty();
  }

  @Test
  void aPartyThatHasItsPartStopsNoOtherBehindIt() throws Exception {
    var line = new ClientQueue(4, 16);
    for (String party : new String[] {"alice", "bob", "carol"}) {
      assertThat(line.take(party, AT_ONCE)).as("a place for each party").isTrue();
    }
    waits(line, "alice");
    waits(line, "dave");
    line.leave("bob");
    assertThat(next()).isEqualTo("dave");
    assertThat(admitted).isEmpty();
  }

  @Test
  void soManyOfAPartyWait() throws Exception {
    var line = new ClientQueue(4, 2);
    assertThat(line.take("alice", AT_ONCE)).as("a place for alice").isTrue();
    waits(line, "alice");
    waits(line, "alice");
    waits(line, "alice");
    assertThat(next()).isEqualTo("alice refused");
  }
}
