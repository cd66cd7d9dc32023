package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectNamesTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "a-b", "a--b", "a.b", "train-7.team-a.example"})
  void namesOfObjects(String name) {
    assertThat(ObjectNames.isOne(name)).as("it is a name of an object").isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "A", "a_b", "a/b", "a b", "-a", "a-", ".a", "a.", "a..b", "a-.b", "a.-b", "é"})
  void otherTexts(String text) {
    assertThat(ObjectNames.isOne(text)).as("it is a name of an object").isFalse();
  }

  @Test
  void namesAreBounded() {
    assertThat(ObjectNames.isOne("a".repeat(253))).as("it is a name of an object").isTrue();
    assertThat(ObjectNames.isOne("a".repeat(254))).as("it is a name of an object").isFalse();
  }
}
