package dev.berth.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FairPermitsTest {
  private static final Duration SHORT = Duration.ofMillis(1);
  private final FairPermits permits = new FairPermits(1);
  private final LinkedBlockingQueue<String> served = new LinkedBlockingQueue<>();

  private Thread waiting(String name) throws InterruptedException {
    var thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                permits.acquire(name.substring(0, 1));
                served.add(name);
              } catch (InterruptedException stopped) {
                served.add(name + " stopped");
              }
            });
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    return thread;
  }

  private List<String> servedInTurn(int count) throws InterruptedException {
    var names = new java.util.ArrayList<String>();
    for (int i = 0; i < count; i++) {
      permits.release();
      names.add(served.poll(30, TimeUnit.SECONDS));
    }
    return names;
  }

  private void takeAll() throws InterruptedException {
    assertThat(permits.tryAcquire("x", SHORT)).as("x gets a permit").isTrue();
    assertThat(permits.tryAcquire("x", SHORT)).as("x gets a permit").isFalse();
  }

  @Test
  void lanesTakeTurns() throws InterruptedException {
    takeAll();
    for (String name : List.of("a1", "a2", "a3", "b1", "b2", "c1")) {
      waiting(name);
    }
    assertThat(servedInTurn(6)).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void aWaiterThatLeavesCostsNoPermit() throws InterruptedException {
    takeAll();
    Thread first = waiting("a1");
    waiting("a2");
    first.interrupt();
    first.join();
    assertThat(served.take()).isEqualTo("a1 stopped");
    assertThat(servedInTurn(1)).containsExactly("a2");
    permits.release();
    takeAll();
  }

  @Test
  void noPermitIsLostOrMadeInARush() throws InterruptedException {
    var busy = new FairPermits(3);
    var inside = new java.util.concurrent.atomic.AtomicInteger();
    var most = new java.util.concurrent.atomic.AtomicInteger();
    var threads = new java.util.ArrayList<Thread>();
    for (int i = 0; i < 64; i++) {
      String lane = "lane-" + i % 5;
      threads.add(
          Thread.startVirtualThread(() -> {
            for (int turn = 0; turn < 200; turn++) {
              try {
                if (busy.tryAcquire(lane, Duration.ofNanos(50_000))) {
                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                  Thread.yield();
                  inside.decrementAndGet();
                  busy.release();
                }
              } catch (InterruptedException unexpected) {
                return;
              }
            }
          }));
    }
    for (Thread each : threads) {
      each.join();
    }
    assertThat(most.get()).isLessThanOrEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(busy.tryAcquire("x", SHORT)).as("permit %d", i).isTrue();
    }
    assertThat(busy.tryAcquire("x", SHORT)).as("x gets a permit").isFalse();
  }
}
