package dev.berth.controllers.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// From a caller through a value to a client, every call there is.
class WriterFacadesTest {
  private static final Set<String> READS =
      Set.of("isOn", "version", "namespace", "requests", "read");

  /// A call of a client, as far as it tells calls apart.
  private record Call(String client, String method, List<Object> arguments) {
    private static Call of(Method method, Object... arguments) {
      return new Call(
          method.getDeclaringClass().getSimpleName(), method.getName(), List.of(arguments));
    }
  }

  private final List<Call> reached = new ArrayList<>();
  private final List<ApiWrite> written = new ArrayList<>();
  private final WriteClients clients =
      new WriteClients(
          client(PodClient.class),
          client(PodConditionClient.class),
          client(RequeueClient.class),
          client(HolderClient.class),
          Optional.of(client(ProbeClient.class)),
          client(OwnPodClient.class),
          client(PodGroupClient.class),
          client(QueueClient.class),
          client(CapacityClient.class),
          client(ClaimTemplateClient.class),
          client(LeaseClient.class));
  private final WriterFacades facades =
      new WriterFacades(
          write -> {
            written.add(write);
            return clients.write(write);
          },
          clients);

  @Test
  void aWriteReachesTheClientAsItWasMeant() throws ReflectiveOperationException {
    var kinds = new TreeSet<String>();
    for (Object facade : facades()) {
      for (Method method : facade.getClass().getInterfaces()[0].getMethods()) {
        var arguments = ExampleWrites.arguments(method.getParameterTypes());
        var result = call(method, facade, arguments);
        if (READS.contains(method.getName())) {
          assertThat(written).as("%s", method).isEmpty();
        } else {
          assertThat(written).as("%s", method).hasSize(1);
          kinds.add(written.getFirst().getClass().getSimpleName());
        }
        assertThat(reached).containsExactly(Call.of(method, arguments));
        assertThat(result).as("%s", method).isEqualTo(answer(method, arguments));
        written.clear();
        reached.clear();
      }
    }
    assertThat(kinds)
        .as("every kind is written by some client")
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(ApiWrite.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList());
  }

  private List<Object> facades() {
    return List.of(
        facades.pods(),
        facades.conditions(),
        facades.requeues(),
        facades.holders(),
        facades.probes().orElseThrow(),
        facades.ownPod(),
        facades.groups(),
        facades.queues(),
        facades.capacity(),
        facades.claimTemplates(),
        facades.leases());
  }

  private <T> T client(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Object[] given = arguments == null ? new Object[0] : arguments;
              reached.add(Call.of(method, given));
              return answer(method, given);
            }));
  }

  private static Object answer(Method method, Object... arguments) {
    Class<?> type = method.getReturnType();
    if (type == LeaseClient.Lease.class) {
      return ((LeaseClient.Lease) arguments[0]).withVersion("42");
    }
    if (type == long.class) {
      return 42L;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == String.class) {
      return "42";
    }
    if (type == List.class) {
      return List.of("42");
    }
    return type == Optional.class ? Optional.of("42") : null;
  }

  private static Object call(Method method, Object client, Object... arguments)
      throws ReflectiveOperationException {
    method.setAccessible(true);
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException failed) {
      throw new IllegalStateException("%s".formatted(method), failed.getCause());
    }
  }
}
