package dev.berth.controllers.gates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class TurnsByNamespaceTest {
  private final TurnsByNamespace<String> line = new TurnsByNamespace<>();

  private ArrayList<String> rest() {
    var rest = new ArrayList<String>();
    while (line.size() > 0) {
      rest.add(line.removeFirst());
    }
    return rest;
  }

  @Test
  void eachNamespaceHasATurnBeforeOneHasItsSecond() {
    line.addLast("a", "a1");
    line.addLast("a", "a2");
    line.addLast("a", "a3");
    line.addLast("b", "b1");
    line.addLast("c", "c1");
    line.addLast("b", "b2");
    assertThat(line.size()).isEqualTo(6);
    assertThat(rest()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void whoComesBackIsBeforeItsOwnAndNotBeforeOthers() {
    line.addLast("a", "a1");
    line.addLast("a", "a2");
    line.addLast("b", "b1");
    assertThat(line.removeFirst()).isEqualTo("a1");
    line.addFirst("a", "a1");
    assertThat(rest()).containsExactly("b1", "a1", "a2");
  }

  @Test
  void whoWasGoneStandsBehindAll() {
    line.addLast("a", "a1");
    line.addLast("b", "b1");
    assertThat(line.removeFirst()).isEqualTo("a1");
    line.addLast("a", "a2");
    assertThat(rest()).containsExactly("b1", "a2");
    assertThatThrownBy(line::removeFirst).isInstanceOf(NoSuchElementException.class);
  }
}
