package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ClientException.Kind;
import dev.berth.controllers.client.LeaderLabelClient;
import dev.berth.controllers.loop.HandCranked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeaderLabelKeeperTest {
  private final HandCranked workers = new HandCranked();
  private final List<String> calls = new ArrayList<>();
  private Optional<Kind> failsWith = Optional.empty();
  private final LeaderLabelKeeper keeper = new LeaderLabelKeeper(new Recorded(), workers);

  @Test
  void aStandbyRemovesTheLabelOnce() {
    keeper.standsBy();
    seconds(60);
    assertThat(calls).containsExactly("remove");
  }

  @Test
  void aStandbyRetriesUntilTheLabelIsRemoved() {
    failsWith = Optional.of(Kind.UNREACHABLE);
    keeper.standsBy();
    seconds(2);
    assertThat(calls).hasSize(5);
    failsWith = Optional.empty();
    seconds(60);
    assertThat(calls).hasSize(6);
  }

  @Test
  void theLeaderPutsTheLabelAgainAndAgain() {
    keeper.standsBy();
    keeper.leads();
    seconds(25);
    assertThat(calls).containsExactly("put", "put", "put");
  }

  @Test
  void theLeaderRetriesSoonWhereItCouldNotPutTheLabel() {
    failsWith = Optional.of(Kind.NOT_NOW);
    keeper.leads();
    seconds(0.9);
    failsWith = Optional.empty();
    seconds(0.2);
    assertThat(calls).containsExactly("put", "put", "put");
  }

  @Test
  void aProcessThatStopsRemovesTheLabelAndWritesNothingMore() {
    keeper.leads();
    seconds(1);
    failsWith = Optional.of(Kind.UNREACHABLE);
    keeper.stops();
    seconds(60);
    assertThat(calls).containsExactly("put", "remove");
  }

  private void seconds(double some) {
    workers.turn(Duration.ofMillis((long) (some * 1000)));
  }

  private final class Recorded implements LeaderLabelClient {
    @Override
    public void put() throws ClientException {
      call("put");
    }

    @Override
    public void remove() throws ClientException {
      call("remove");
    }

    private void call(String what) throws ClientException {
      calls.add(what);
      if (failsWith.isPresent()) {
        throw new ClientException(failsWith.get(), "as the test wants");
      }
    }
  }
}
