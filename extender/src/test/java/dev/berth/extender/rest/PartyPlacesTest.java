package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.rest.PartyPlaces.Answer;
import org.junit.jupiter.api.Test;

class PartyPlacesTest {
  @Test
  void onePartyHasAQuarterOfThePlaces() {
    var places = new PartyPlaces(8);
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.PARTY_FULL);
    assertThat(places.take("bob")).isEqualTo(Answer.TAKEN);
    places.leave("alice");
    assertThat(places.take("alice")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice")).isEqualTo(Answer.PARTY_FULL);
  }

  @Test
  void allPartiesTogetherLeaveAPartToViewersOfEverything() {
    var places = new PartyPlaces(8);
    for (String party : new String[] {"a", "a", "b", "b", "c", "c"}) {
      assertThat(places.take(party)).isEqualTo(Answer.TAKEN);
    }
    assertThat(places.take("d")).isEqualTo(Answer.FULL);
    assertThat(places.take("")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("")).isEqualTo(Answer.TAKEN);
    assertThat(places.take("")).isEqualTo(Answer.FULL);
  }

  @Test
  void aViewerOfEverythingIsBoundedByAllPlaces() {
    var places = new PartyPlaces(3);
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
