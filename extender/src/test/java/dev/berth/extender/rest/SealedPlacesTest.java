package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SealedPlacesTest {
  private final SealedPlaces places = new SealedPlaces();

  @Test
  void whatWasSealedIsOpenedAgain() {
    for (long place : new long[] {0, 1, 1_000_000, Long.MAX_VALUE}) {
      assertThat(places.open(places.seal(place))).hasValue(place);
    }
  }

  @Test
  void placesThatAreNearHaveNothingInCommon() {
    String one = places.seal(1);
    assertThat(places.seal(2)).hasSameSizeAs(one).isNotEqualTo(one);
    assertThat(places.seal(2).substring(0, 8)).isNotEqualTo(one.substring(0, 8));
    assertThat(new SealedPlaces().seal(1)).as("of another process").isNotEqualTo(one);
  }

  @Test
  void whatWasNotSealedHereIsNotOpened() {
    var others = new SealedPlaces().seal(1);
    for (String text : List.of("", "12", "-12", "g".repeat(32), "0".repeat(32), others)) {
      assertThat(places.open(text)).as(text).isEmpty();
    }
  }
}
