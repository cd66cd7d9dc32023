package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.CreationRefusal;
import dev.berth.engine.model.CreationRefusal.Exceeded;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What events of controllers tell of pods that were not created.
final class RefusalWordsTest {
  private static final String QUOTA =
      "exceeded quota: team, requested: pods=1,requests.cpu=500m, used: pods=4,requests.cpu=1800m,"
          + " limited: pods=4,requests.cpu=2";

  @Test
  void aResourceQuotaIsReadWithItsNumbers() {
    var expected =
        new CreationRefusal(
            QUOTA,
            "team",
            List.of(new Exceeded("pods", 4, 1, 4), new Exceeded("requests.cpu", 1800, 500, 2000)));
    assertThat(RefusalWords.read("Error creating: pods \"train-x7k2p\" is forbidden: " + QUOTA))
        .isEqualTo(expected);
    assertThat(
            RefusalWords.read(
                "(combined from similar events): Error creating: pods \"t-1\" is forbidden: "
                    + QUOTA))
        .isEqualTo(expected);
  }

  @Test
  void ofAnotherCauseTheWordsAreKeptWithoutTheNameOfThePod() {
    assertThat(
            RefusalWords.read(
                "Error creating: pods \"train-x7k2p\" is forbidden: failed quota: team: must"
                    + " specify limits.cpu for: main"))
        .isEqualTo(new CreationRefusal("failed quota: team: must specify limits.cpu for: main"));
    assertThat(RefusalWords.read("Error creating: ")).isEqualTo(CreationRefusal.NONE);
  }

  /// Tenants may write events.
  @Test
  void whatIsNoQuotaIsWordsAndTheseAreCut() {
    for (String forged :
        List.of(
            "exceeded quota: team, requested: pods=1, used: pods=x, limited: pods=4",
            "exceeded quota: team, requested: pods=-1, used: pods=1, limited: pods=4",
            "exceeded quota: team, requested: pods=1, used: cpu=1, limited: pods=4",
            "exceeded quota: team, requested: =1, used: =1, limited: =4",
            "exceeded quota: team, requested: pods, used: pods, limited: pods",
            "exceeded quota: team, requested: pods=1, used: pods=4, limited: pods=4, or not")) {
      assertThat(RefusalWords.read(forged)).as(forged).isEqualTo(new CreationRefusal(forged));
    }
    var cut = RefusalWords.read("a\nb\u0000c " + "d".repeat(1000)).words();
    assertThat(cut).startsWith("a b c dd").hasSize(301).endsWith("d…");
  }
}
