package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What several parties get that ask at once.
class StudiesTest {
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final Studies<String> studies = new Studies<>(new ClientTurns(thread));
  private final List<String> made = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  @AfterEach
  void close() {
    clients.shutdownNow();
    thread.shutdownNow();
  }

  private String asks(String party, String question) {
    return studies.answer(
        party,
        question,
        () -> {
          made.add(question);
          return "of " + question;
        });
  }

  /// The thread is busy until [#mayGoOn].
  private void aliceIsAtIt() throws Exception {
    var begun = new CountDownLatch(1);
    clients.submit(() ->
        studies.answer(
            "alice",
            "long",
            () -> {
              begun.countDown();
              try {
                mayGoOn.await();
              } catch (InterruptedException ends) {
                Thread.currentThread().interrupt();
              }
              return "long";
            }));
    begun.await();
  }

  /// All of alice's that may wait do.
  private List<Future<String>> aliceFillsHerLine() throws Exception {
    var answers = new ArrayList<Future<String>>();
    for (int i = 0; i < ClientTurns.MOST_OF_PARTY; i++) {
      String question = "a" + i;
      answers.add(clients.submit(() -> asks("alice", question)));
    }
    awaitUnderWay(1 + ClientTurns.MOST_OF_PARTY);
    return answers;
  }

  private void awaitUnderWay(int count) {
    while (studies.underWay() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aPartyThatAsksWithoutPauseDelaysOthersByOneStudy() throws Exception {
    aliceIsAtIt();
    var hers = aliceFillsHerLine();
    assertThatThrownBy(() -> asks("alice", "more"))
        .isInstanceOf(ApiProblem.class)
        .hasMessageContaining("ask again in a moment");
    var bobs = clients.submit(() -> asks("bob", "b1"));
    awaitUnderWay(2 + ClientTurns.MOST_OF_PARTY);
    mayGoOn.countDown();
    assertThat(bobs.get()).isEqualTo("of b1");
    for (Future<String> each : hers) {
      each.get();
    }
    assertThat(made.indexOf("b1")).isLessThanOrEqualTo(1);
    assertThat(made).doesNotContain("more");
  }

  @Test
  void theSameQuestionIsStudiedOnce() throws Exception {
    aliceIsAtIt();
    var one = clients.submit(() -> asks("alice", "same"));
    var other = clients.submit(() -> asks("bob", "same"));
    mayGoOn.countDown();
    assertThat(one.get()).isEqualTo(other.get()).isEqualTo("of same");
    assertThat(made).containsExactly("same");
  }
}
