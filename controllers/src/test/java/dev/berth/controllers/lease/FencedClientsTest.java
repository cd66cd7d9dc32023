package dev.berth.controllers.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ClientException.Kind;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.HolderClient;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FencedClientsTest {
  private static final PodKey HOLDER = new PodKey("berth-system", "holder-n1-0");

  private final Open fence = new Open();
  private final Broken server = new Broken();
  private final FencedClients fenced = new FencedClients(fence);
  private final HolderClient holders = fenced.holders(server);

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

  /// Every write of every client, whatever it writes.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noWriteBeginsWithoutTimeLeft(boolean shut)
      throws ClientException, ReflectiveOperationException {
    var reached = new ArrayList<String>();
    int tried = 0;
    for (Method client : FencedClients.class.getMethods()) {
      Class<?> kind = client.getReturnType();
      if (client.getDeclaringClass() != FencedClients.class || !kind.isInterface()) {
        continue;
      }
      for (Method write : kind.getMethods()) {
        if (List.of(write.getExceptionTypes()).contains(ClientException.class) && isWrite(write)) {
          var closed = new FencedClients(shut ? new Open() : new Over());
          if (shut) {
            closed.shut();
          }
          tried++;
          assertThatThrownBy(() -> call(write, client.invoke(closed, recording(kind, reached))))
              .as("%s", write)
              .isInstanceOfSatisfying(
                  ClientException.class,
                  failed -> assertThat(failed.kind()).isEqualTo(Kind.NOT_NOW));
          assertThat(reached).as("written").isEmpty();
          call(write, client.invoke(new FencedClients(new Open()), recording(kind, reached)));
          assertThat(reached).as("with time left").containsExactly(write.getName());
          reached.clear();
        }
      }
    }
    assertThat(tried).as("writes").isGreaterThan(15);
  }

  /// Others read what is there.
  private static boolean isWrite(Method method) {
    return !List.of("requests", "isOn", "version").contains(method.getName());
  }

  private static Object recording(Class<?> kind, List<String> reached) {
    return Proxy.newProxyInstance(
        kind.getClassLoader(),
        new Class<?>[] {kind},
        (_, method, _) -> {
          reached.add(method.getName());
          return nothing(method.getReturnType());
        });
  }

  private static void call(Method method, Object client) throws ClientException {
    try {
      method.setAccessible(true);
      method.invoke(
          client, Stream.of(method.getParameterTypes()).map(FencedClientsTest::nothing).toArray());
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof ClientException refused) {
        throw refused;
      }
      throw new IllegalStateException(failed);
    } catch (IllegalAccessException internalError) {
      throw new IllegalStateException(internalError);
    }
  }

  private static Object nothing(Class<?> type) {
    if (type == long.class) {
      return 0L;
    }
    if (type == boolean.class) {
      return false;
    }
    return type == int.class ? Integer.valueOf(0) : null;
  }

  private Optional<Kind> deletes() {
    return Optional.ofNullable(
            catchThrowableOfType(
                ClientException.class, () -> holders.delete(HOLDER, new PodUid("uid-1"))))
        .map(ClientException::kind);
  }

  /// No time is left, and nobody has said so.
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
  private static final class Broken implements HolderClient {
    private Optional<Kind> failsWith = Optional.empty();

    @Override
    public String namespace() {
      return "berth-system";
    }

    @Override
    public void create(NodeName node, int slot, Resource device) throws ClientException {
      answer();
    }

    @Override
    public void delete(PodKey holder, PodUid uid) throws ClientException {
      answer();
    }

    private void answer() throws ClientException {
      if (failsWith.isPresent()) {
        throw new ClientException(failsWith.get(), "the test");
      }
    }
  }
}
