package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ExampleWrites;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.client.WriteClients;
import dev.berth.controllers.kube.FakeApiServer.Fault;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What [ApiWrite#retry] says is what the clients of a real cluster do.
final class RetryPolicyTest {
  private static final int ATTEMPTS = 3;
  private static final String NAMESPACE = HolderPodSettings.DEFAULT.namespace();

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private WriteClients clients;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    server.put(Kind.NODE, "", "n1", "uid-n1");
    server.put(Kind.POD, "team", "a", "uid-a");
    var quick = new WriteSettings(8, ATTEMPTS, Duration.ofSeconds(5), Duration.ofMillis(1));
    var api = new Api(cluster, quick, () -> 0.5, Metrics.unseen());
    var settings = HolderPodSettings.DEFAULT;
    clients =
        new WriteClients(
            new ApiPods(api, InstantSource.system()),
            new ApiPodConditions(api),
            new ApiRequeues(api),
            new ApiHolders(api, settings),
            Optional.of(new ApiProbes(api, settings)),
            new ApiOwnPod(api, "team", "a"),
            new ApiGroups(api),
            new ApiQueues(api),
            new ApiCapacity(api, settings),
            new ApiClaimTemplates(api, ClaimTemplateSettings.DEFAULT),
            new ApiLeases(api, NAMESPACE, "berth"));
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  static Stream<ApiWrite> writes() {
    return ExampleWrites.ofEveryKind().stream().map(RetryPolicyTest::sent);
  }

  @ParameterizedTest
  @MethodSource("writes")
  void aWriteWithoutAnAnswerIsTriedAsItsPolicySays(ApiWrite write) {
    for (String method : List.of("POST", "PATCH", "DELETE")) {
      for (int i = 0; i <= ATTEMPTS; i++) {
        server.once(method, "", Fault.BROKEN);
      }
    }
    var _ = catchThrowable(() -> clients.write(write)); // or it is found done: a pod that is gone
    long sent = server.requests().stream().filter(asked -> !asked.method().equals("GET")).count();
    assertThat(sent).isEqualTo(isRepeated(write) ? ATTEMPTS : 1);
    assertThat(write.isRepeatable() || sent == 1).as("not repeatable, so tried once").isTrue();
  }

  private static boolean isRepeated(ApiWrite write) {
    return ApiWrite.retry(write.getClass()) == ApiWrite.Retry.CLIENT;
  }

  /// The same, so that the clients have a reason to send it.
  private static ApiWrite sent(ApiWrite write) {
    var unit =
        new CapacityClient.CapacityUnit(
            new PodKey("team", "a"), Constraints.NONE, List.of(), new TreeMap<>());
    var want = new CapacityClient.Want("want", false, List.of(unit));
    return switch (write) {
      case ApiWrite.CreateHolder(_, var slot, var device) ->
          new ApiWrite.CreateHolder(new NodeName("n1"), slot, device);
      case ApiWrite.DeleteHolder(var holder, var uid) ->
          new ApiWrite.DeleteHolder(new PodKey(NAMESPACE, holder.name()), uid);
      case ApiWrite.DeleteProbe(var probe, var uid) ->
          new ApiWrite.DeleteProbe(new PodKey(NAMESPACE, probe.name()), uid);
      case ApiWrite.ClearPlaceholder(var placeholder) ->
          new ApiWrite.ClearPlaceholder(new PodKey(NAMESPACE, placeholder.name()));
      case ApiWrite.AskCapacity _ -> new ApiWrite.AskCapacity(want);
      case ApiWrite.WithdrawCapacity _ -> new ApiWrite.WithdrawCapacity(want);
      default -> write;
    };
  }
}
