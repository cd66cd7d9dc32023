package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class ClientTurnsTest {
  private final ArrayDeque<Runnable> thread = new ArrayDeque<>();
  private final ClientTurns turns = new ClientTurns(thread::add);
  private final List<String> done = new ArrayList<>();

  private void asks(String party, String what) {
    turns.run(party, () -> done.add(what));
  }

  private void work() {
    while (!thread.isEmpty()) {
      thread.remove().run();
    }
  }

  @Test
  void partiesTakeTurns() {
    asks("alice", "a1");
    asks("alice", "a2");
    asks("alice", "a3");
    asks("bob", "b1");
    asks("", "admin");
    asks("bob", "b2");
    work();
    assertThat(done).containsExactly("a1", "b1", "admin", "a2", "b2", "a3");
  }

  @Test
  void aPartyThatAsksAgainIsBehindAllOthers() {
    turns.run(
        "alice",
        () -> {
          done.add("a1");
          asks("alice", "a2");
        });
    asks("bob", "b1");
    work();
    assertThat(done).containsExactly("a1", "b1", "a2");
    asks("alice", "a3");
    work();
    assertThat(done).endsWith("a3");
  }

  @Test
  void onePartyCannotFillTheLine() {
    for (int i = 0; i < ClientTurns.MOST_OF_PARTY; i++) {
      asks("alice", "a" + i);
    }
    assertThatThrownBy(() -> asks("alice", "more")).isInstanceOf(RejectedExecutionException.class);
    asks("bob", "b1");
    work();
    assertThat(done).hasSize(ClientTurns.MOST_OF_PARTY + 1).contains("b1").doesNotContain("more");
    asks("alice", "again");
    work();
    assertThat(done).endsWith("again");
  }

  @Test
  void allTogetherAreBoundedAndAViewerOfEverythingByThatAlone() {
    for (int i = 0; i < ClientTurns.MOST; i++) {
      asks("", "admin" + i);
    }
    assertThatThrownBy(() -> asks("", "more")).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> asks("bob", "b1")).isInstanceOf(RejectedExecutionException.class);
    work();
    asks("bob", "b2");
    work();
    assertThat(done).hasSize(ClientTurns.MOST + 1).endsWith("b2");
  }
}
