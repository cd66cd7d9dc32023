package dev.berth.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.ClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeyedLoopTest {
  private static final KeyedLoopSettings TWO_AT_ONCE =
      new KeyedLoopSettings(2, Duration.ofSeconds(1), Duration.ofSeconds(8));
  private static final Duration NOW = Duration.ZERO;

  private final HandCranked workers = new HandCranked();
  private final Instant start = workers.time().instant();
  private final List<String> ran = new ArrayList<>();
  private final ArrayDeque<Next> answers = new ArrayDeque<>();
  private final KeyedLoop<String> loop =
      new KeyedLoop<>("test", workers, TWO_AT_ONCE, this::reconcile);

  private Next reconcile(String key) {
    ran.add(key + "@" + Duration.between(start, workers.time().instant()).toSeconds());
    return answers.isEmpty() ? Next.done() : answers.remove();
  }

  @Test
  void addingTwiceIsAddingOnce() {
    loop.add("a");
    loop.add("a");
    loop.add("b");
    workers.turn(NOW);
    assertThat(ran).containsExactly("a@0", "b@0");
    loop.add("a");
    workers.turn(NOW);
    assertThat(ran).containsExactly("a@0", "b@0", "a@0");
  }

  /// One namespace has a thousand keys that take for ever, another has one.
  @Test
  void lanesTakeTurnsAndNoneHasAllWorkers() {
    var settings = new KeyedLoopSettings(8, Duration.ofSeconds(1), Duration.ofSeconds(8));
    var slow = new ArrayDeque<Runnable>();
    var waiting = new ArrayList<String>();
    var workers =
        new Workers() {
          @Override
          public void run(Runnable task) {
            slow.add(task);
          }

          @Override
          public void at(Instant when, Runnable task) {}

          @Override
          public InstantSource time() {
            return () -> start;
          }

          @Override
          public double chance() {
            return 0;
          }
        };
    var fair =
        new KeyedLoop<String>(
            "fair",
            workers,
            settings,
            key -> key.substring(0, key.indexOf('/')),
            key -> {
              waiting.add(key);
              return Next.done();
            });
    for (int i = 0; i < 1000; i++) {
      fair.add("loud/" + i);
    }
    assertThat(slow).as("in work for one lane").hasSize(2);
    fair.add("quiet/a");
    assertThat(slow).as("another has its worker at once").hasSize(3);
    for (int i = 0; i < 10; i++) {
      fair.add("quiet/" + i);
    }
    for (int i = 0; i < 12; i++) {
      slow.remove().run();
    }
    assertThat(waiting.stream().filter(key -> key.startsWith("quiet")).count())
        .as("of the first twelve: %s", waiting)
        .isGreaterThanOrEqualTo(5);
    while (!slow.isEmpty()) {
      slow.remove().run();
    }
    assertThat(waiting).as("nobody is forgotten").hasSize(1011);
  }

  @Test
  void pausesDoubleAndSuccessResetsThem() {
    for (int i = 0; i < 5; i++) {
      answers.add(Next.retry());
    }
    loop.add("a");
    workers.turn(Duration.ofSeconds(30));
    assertThat(ran).containsExactly("a@0", "a@0", "a@2", "a@6", "a@14", "a@22");

    answers.add(Next.retry());
    loop.add("a");
    workers.turn(Duration.ofSeconds(5));
    assertThat(ran).hasSize(8).endsWith("a@30", "a@30");
  }

  @Test
  void noEventShortensABackoff() {
    answers.add(Next.retry());
    answers.add(Next.retry());
    loop.add("a");
    workers.turn(Duration.ofMillis(1100));
    loop.add("a");
    loop.add("a");
    workers.turn(Duration.ofMillis(500));
    assertThat(ran).hasSize(2);
    workers.turn(Duration.ofSeconds(3));
    assertThat(ran).hasSize(3);
  }

  @Test
  void aDateIsKeptUnlessAnEventComesFirst() {
    answers.add(Next.at(start.plusSeconds(10)));
    loop.add("a");
    workers.turn(Duration.ofSeconds(20));
    assertThat(ran).containsExactly("a@0", "a@10");

    answers.add(Next.at(start.plusSeconds(40)));
    loop.add("b");
    workers.turn(Duration.ofSeconds(5));
    loop.add("b");
    workers.turn(Duration.ofSeconds(60));
    assertThat(ran).containsExactly("a@0", "a@10", "b@20", "b@25");
  }

  @Test
  void noEventShortensARestAndWhatCameMeanwhileIsSeenAfterIt() {
    answers.add(Next.notBefore(start.plusSeconds(10)));
    loop.add("a");
    workers.turn(Duration.ofSeconds(5));
    loop.add("a");
    workers.turn(Duration.ofSeconds(30));
    assertThat(ran).containsExactly("a@0", "a@10");
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "NOT_NOW", "UNREACHABLE", "REFUSED"})
  void whatFailsIsTriedAgainSoonThenSeldomAndNotForEveryChange(ClientException.Kind kind) {
    var broken =
        new KeyedLoop<String>(
            "broken",
            workers,
            TWO_AT_ONCE,
            key -> {
              reconcile(key);
              throw new ClientException(kind, "no " + key);
            });
    broken.add("a");
    for (int second = 0; second < 25; second++) {
      workers.turn(Duration.ofSeconds(1));
      broken.add("a");
    }
    assertThat(ran).containsExactly("a@0", "a@0", "a@2", "a@6", "a@14", "a@22");
  }

  @Test
  void onRealThreadsAKeyIsInWorkOnceAndNoAdditionIsLost() throws InterruptedException {
    try (var threads =
        new VirtualThreads("test", java.time.InstantSource.system(), Duration.ofSeconds(5))) {
      var seen = Collections.synchronizedList(new ArrayList<Integer>());
      var newest = new AtomicInteger();
      var atWork = new AtomicInteger();
      var overlaps = new AtomicInteger();
      var last = new CountDownLatch(1);
      var real =
          new KeyedLoop<String>(
              "real",
              threads,
              TWO_AT_ONCE,
              _ -> {
                if (atWork.incrementAndGet() > 1) {
                  overlaps.incrementAndGet();
                }
                int value = newest.get();
                seen.add(value);
                Thread.yield();
                atWork.decrementAndGet();
                if (value == 1000) {
                  last.countDown();
                }
                return Next.done();
              });
      for (int i = 1; i <= 1000; i++) {
        newest.set(i);
        real.add("key");
      }
      assertThat(last.await(10, java.util.concurrent.TimeUnit.SECONDS))
          .as("the last is seen")
          .isTrue();
      assertThat(overlaps).hasValue(0);
      assertThat(seen).isSorted();
    }
  }
}
