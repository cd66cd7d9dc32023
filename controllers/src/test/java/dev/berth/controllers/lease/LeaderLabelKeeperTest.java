package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.DoorException.Kind;
import dev.berth.controllers.door.LeaderLabel;
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

  private final class Recorded implements LeaderLabel {
    @Override
    public void put() throws DoorException {
      call("put");
    }

    @Override
    public void remove() throws DoorException {
      call("remove");
    }

    private void call(String what) throws DoorException {
      calls.add(what);
      if (failsWith.isPresent()) {
        throw new DoorException(failsWith.get(), "as the test wants");
      }
    }
  }
}
