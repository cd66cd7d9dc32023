package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.rest.StreamPlaces.Answer;
import org.junit.jupiter.api.Test;

class StreamPlacesTest {
  @Test
  void onePartyHasAQuarterOfThePlaces() {
    var places = new StreamPlaces(8);
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.PARTY_FULL);
    assertThat(places.take("bob")).isEqualTo(Answer.TAKEN);
    places.leave("alice");
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.PARTY_FULL);
  }

  @Test
  void aViewerOfEverythingIsBoundedByAllPlaces() {
    var places = new StreamPlaces(3);
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.PARTY_FULL);
    assertThat(places.take("")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("")).isEqualTo(Answer.FULL);
    assertThat(places.take("bob")).isEqualTo(Answer.FULL);
    places.leave("alice");
    assertThat(places.take("bob")).isEqualTo(Answer.TAKEN);
  }
}
