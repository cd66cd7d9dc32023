package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ClientException.Kind;
import dev.berth.controllers.client.ExampleWrites;
import dev.berth.controllers.client.Fence;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FencedWritesTest {
  private static final ApiWrite WRITE =
      new ApiWrite.DeleteHolder(new PodKey("berth-system", "holder-n1-0"), new PodUid("uid-1"));

  private final Open fence = new Open();
  private final Broken server = new Broken();
  private final FencedWrites fenced = new FencedWrites(server, fence);

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aWriteMayStillBeDoneOnlyWhereNoAnswerCame(Kind kind) {
    server.failsWith = Optional.of(kind);
    assertThat(write()).contains(kind);
    assertThat(fence.unanswered).isEqualTo(kind == Kind.UNREACHABLE ? 1 : 0);
    assertThat(fenced.underWay()).isZero();
  }

  @Test
  void aWriteThatIsDoneIsAnswered() {
    assertThat(write()).isEmpty();
    assertThat(fence.unanswered).isZero();
  }

  @Test
  void whatDoesNotBeginIsNotDoneLater() {
    server.failsWith = Optional.of(Kind.UNREACHABLE);
    fenced.shut();
    assertThat(write()).contains(Kind.NOT_NOW);
    assertThat(fence.unanswered).isZero();
  }

  /// Every kind of write that there is.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noWriteBeginsWithoutTimeLeft(boolean shut) throws ClientException {
    var reached = new ArrayList<ApiWrite>();
    ApiWriter recording =
        write -> {
          reached.add(write);
          return "7";
        };
    for (ApiWrite write : ExampleWrites.ofEveryKind()) {
      var closed = new FencedWrites(recording, shut ? new Open() : new Over());
      if (shut) {
        closed.shut();
      }
      assertThatThrownBy(() -> closed.write(write))
          .as("%s", write)
          .isInstanceOfSatisfying(
              ClientException.class, failed -> assertThat(failed.kind()).isEqualTo(Kind.NOT_NOW));
      assertThat(reached).as("written").isEmpty();
      assertThat(new FencedWrites(recording, new Open()).write(write)).isEqualTo("7");
      assertThat(reached).as("with time left").containsExactly(write);
      reached.clear();
    }
  }

  private Optional<Kind> write() {
    return Optional.ofNullable(
            catchThrowableOfType(ClientException.class, () -> fenced.write(WRITE)))
        .map(ClientException::kind);
  }

  /// No time is left, and the fence is not barred yet.
  private static final class Over implements Fence {
    @Override
    public Optional<String> barred() {
      return Optional.empty();
    }

    @Override
    public Duration left() {
      return Duration.ZERO;
    }

    @Override
    public void unanswered() {}
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
  private static final class Broken implements ApiWriter {
    private Optional<Kind> failsWith = Optional.empty();

    @Override
    public String write(ApiWrite write) throws ClientException {
      if (failsWith.isPresent()) {
        throw new ClientException(failsWith.get(), "the test");
      }
      return NOT_TOLD;
    }
  }
}
