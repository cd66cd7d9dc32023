package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.bounds.ClientQuota.Answer;
import org.junit.jupiter.api.Test;

class ClientQuotaTest {
  private static final long MIB = 1 << 20;

  @Test
  void onePartyHasAnEighthOfThePlaces() {
    var places = new ClientQuota(16);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.PARTY_FULL);
    assertThat(places.take("bob", 1)).isEqualTo(Answer.TAKEN);
    places.leave("alice", 1);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.PARTY_FULL);
  }

  @Test
  void allPartiesTogetherLeaveAPartToViewersOfEverything() {
    var places = new ClientQuota(16);
    for (String party : new String[] {"a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"}) {
      assertThat(places.take(party, 1)).isEqualTo(Answer.TAKEN);
    }
    assertThat(places.take("g", 1)).isEqualTo(Answer.FULL);
    for (int i = 0; i < 4; i++) {
      assertThat(places.take("", 1)).isEqualTo(Answer.TAKEN);
    }
    assertThat(places.take("", 1)).isEqualTo(Answer.FULL);
  }

  @Test
  void aViewerOfEverythingIsBoundedByAllPlaces() {
    var places = new ClientQuota(3);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("alice", 1)).isEqualTo(Answer.PARTY_FULL);
    assertThat(places.take("", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("", 1)).isEqualTo(Answer.TAKEN);
    assertThat(places.take("", 1)).isEqualTo(Answer.FULL);
    assertThat(places.take("bob", 1)).isEqualTo(Answer.FULL);
    places.leave("alice", 1);
    assertThat(places.take("bob", 1)).isEqualTo(Answer.TAKEN);
  }

  @Test
  void onePartyHasAnEighthOfTheBytes() {
    var bytes = new ClientQuota(64 * MIB);
    assertThat(bytes.take("alice", 5 * MIB)).isEqualTo(Answer.TAKEN);
    assertThat(bytes.take("alice", 3 * MIB)).isEqualTo(Answer.TAKEN);
    assertThat(bytes.take("alice", 1)).isEqualTo(Answer.PARTY_FULL);
    assertThat(bytes.take("bob", 8 * MIB)).isEqualTo(Answer.TAKEN);
    bytes.leave("alice", 3 * MIB);
    assertThat(bytes.take("alice", 3 * MIB)).isEqualTo(Answer.TAKEN);
  }

  @Test
  void whatIsHeavierThanAPartIsTakenAlone() {
    var bytes = new ClientQuota(64 * MIB);
    assertThat(bytes.take("alice", 100 * MIB)).isEqualTo(Answer.TAKEN);
    assertThat(bytes.take("bob", 1)).isEqualTo(Answer.FULL);
    assertThat(bytes.take("", 1)).isEqualTo(Answer.FULL);
    bytes.leave("alice", 100 * MIB);
    assertThat(bytes.take("alice", 1)).isEqualTo(Answer.TAKEN);
    assertThat(bytes.take("alice", 100 * MIB)).isEqualTo(Answer.FULL);
    assertThat(bytes.take("bob", 8 * MIB)).isEqualTo(Answer.TAKEN);
  }
}
