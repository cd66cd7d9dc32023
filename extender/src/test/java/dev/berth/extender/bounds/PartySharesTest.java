package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.bounds.PartyShares.Answer;
import org.junit.jupiter.api.Test;

class PartySharesTest {
  @Test
  void onePartyHasAQuarterOfThePlaces() {
    var places = new PartyShares(8);
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
    var places = new PartyShares(8);
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
    var places = new PartyShares(3);
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
