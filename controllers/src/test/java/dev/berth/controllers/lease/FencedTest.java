package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.DoorException.Kind;
import dev.berth.controllers.door.Fence;
import dev.berth.controllers.door.Holders;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FencedTest {
  private static final PodKey HOLDER = new PodKey("berth-system", "holder-n1-0");

  private final Open fence = new Open();
  private final Broken server = new Broken();
  private final Fenced fenced = new Fenced(fence);
  private final Holders holders = fenced.holders(server);

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aWriteMayStillBeDoneOnlyWhereNobodyAnswered(Kind kind) {
    server.failsWith = Optional.of(kind);
    assertThat(deletes()).contains(kind);
    assertThat(fence.unanswered).isEqualTo(kind == Kind.UNREACHABLE ? 1 : 0);
    assertThat(fenced.underWay()).isZero();
  }

  @Test
  void aWriteThatIsDoneIsAnswered() {
    assertThat(deletes()).isEmpty();
    assertThat(fence.unanswered).isZero();
  }

  @Test
  void whatDoesNotBeginIsNotDoneLater() {
    server.failsWith = Optional.of(Kind.UNREACHABLE);
    fenced.shut();
    assertThat(deletes()).contains(Kind.NOT_NOW);
    assertThat(fence.unanswered).isZero();
  }

  private Optional<Kind> deletes() {
    return Optional.ofNullable(
            catchThrowableOfType(
                DoorException.class, () -> holders.delete(HOLDER, new PodUid("uid-1"))))
        .map(DoorException::kind);
  }

  private static final class Open implements Fence {
    private int unanswered;

    @Override
    public Optional<String> barred() {
      return Optional.empty();
    }

    @Override
    public Duration left() {
      return Duration.ofSeconds(9);
    }

    @Override
    public void unanswered() {
      unanswered++;
    }
  }

  /// What answers every write alike.
  private static final class Broken implements Holders {
    private Optional<Kind> failsWith = Optional.empty();

    @Override
    public void create(NodeName node, int slot, Resource device) throws DoorException {
      answer();
    }

    @Override
    public void delete(PodKey holder, PodUid uid) throws DoorException {
      answer();
    }

    private void answer() throws DoorException {
      if (failsWith.isPresent()) {
        throw new DoorException(failsWith.get(), "the test");
      }
    }
  }
}
