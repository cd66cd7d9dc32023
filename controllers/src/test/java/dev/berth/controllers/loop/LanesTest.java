package dev.berth.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class LanesTest {
  private final Lanes<String> lanes = new Lanes<>(key -> key.substring(0, 1), Integer.MAX_VALUE);

  private ArrayList<String> rest() {
    var rest = new ArrayList<String>();
    while (lanes.size() > 0) {
      rest.add(lanes.next());
    }
    return rest;
  }

  @Test
  void eachLaneHasATurnBeforeOneHasItsSecond() {
    lanes.add("a1");
    lanes.add("a2");
    lanes.add("a3");
    lanes.add("b1");
    lanes.add("c1");
    lanes.add("b2");
    assertThat(lanes.size()).isEqualTo(6);
    assertThat(rest()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
  }

  @Test
  void entryThatIsPutBackIsBeforeItsOwnLaneAndNotBeforeOthers() {
    lanes.add("a1");
    lanes.add("a2");
    lanes.add("b1");
    assertThat(lanes.next()).isEqualTo("a1");
    lanes.addFirst("a1");
    assertThat(rest()).containsExactly("b1", "a1", "a2");
  }

  @Test
  void entryThatWasGoneStandsBehindAll() {
    lanes.add("a1");
    lanes.add("b1");
    assertThat(lanes.next()).isEqualTo("a1");
    lanes.add("a2");
    assertThat(rest()).containsExactly("b1", "a2");
    assertThatThrownBy(lanes::next).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void aKeyThatIsTakenOutHasNoTurn() {
    long first = lanes.put("a1");
    lanes.add("a2");
    long only = lanes.put("b1");
    lanes.remove("b1", only);
    lanes.remove("a1", first);
    lanes.remove("a1", first);
    lanes.remove("a2", first);
    assertThat(lanes.size()).isEqualTo(1);
    assertThat(lanes.hasNext()).as("a lane is left").isTrue();
    assertThat(rest()).containsExactly("a2");
    assertThat(lanes.hasNext()).as("a lane is left").isFalse();
  }
}
