package dev.berth.controllers.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.request.PodManifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Over a clock that is turned.
final class TemplateKeeperTest {
  private final World world = new World();
  private final List<String> created = new ArrayList<>();
  private boolean fails;
  private final TemplateKeeper keeper =
      new TemplateKeeper(
          (namespace, share) -> {
            if (fails) {
              throw new ClientException(ClientException.Kind.UNREACHABLE, "no answer");
            }
            created.add(namespace + "/" + share.template());
          },
          world.workers);

  private void seen(String namespace, String template, boolean gated, boolean claimMade) {
    List<Map<String, Object>> gates =
        gated ? List.of(Map.of("name", "berth.dev/queued")) : List.of();
    List<Map<String, Object>> claims =
        claimMade ? List.of(Map.of("name", "berth-gpu", "resourceClaimName", "made")) : List.of();
    var pod =
        PodManifest.read(
            Map.of(
                "metadata",
                Map.of("name", "p", "namespace", namespace),
                "spec",
                Map.of(
                    "schedulerName",
                    "berth",
                    "schedulingGates",
                    gates,
                    "containers",
                    List.of(Map.of("name", "main")),
                    "resourceClaims",
                    List.of(Map.of("name", "berth-gpu", "resourceClaimTemplateName", template))),
                "status",
                Map.of("resourceClaimStatuses", claims)));
    keeper.seen(pod.orElseThrow());
    world.workers.turn(Duration.ofMillis(1));
  }

  @Test
  void manyPodsOfOneSizeAndNamespaceNeedOneTemplate() {
    for (int i = 0; i < 100; i++) {
      seen("a", "berth-gpu-8192mi", true, false);
    }
    seen("a", "berth-gpu-8192mi-x2", true, false);
    seen("b", "berth-gpu-8192mi", true, false);
    assertThat(created)
        .containsExactly("a/berth-gpu-8192mi", "a/berth-gpu-8192mi-x2", "b/berth-gpu-8192mi");
  }

  @Test
  void templatesOfUsersAndClaimsThatAreMadeAreLeftAlone() {
    seen("a", "mine", true, false);
    seen("a", "berth-gpu-8192mi", true, true);
    seen("a", "berth-gpu-8192mi", false, false);
    assertThat(created).isEmpty();
  }

  @Test
  void aTemplateThatWasDeletedIsMadeForLaterPods() {
    seen("a", "berth-gpu-8192mi", true, false);
    world.workers.turn(Duration.ofSeconds(10));
    seen("a", "berth-gpu-8192mi", true, false);
    assertThat(created).hasSize(2);
  }

  @Test
  void whatFailsIsTriedAgain() {
    fails = true;
    seen("a", "berth-gpu-8192mi", true, false);
    assertThat(created).isEmpty();
    fails = false;
    world.workers.turn(Duration.ofSeconds(1));
    assertThat(created).containsExactly("a/berth-gpu-8192mi");
  }
}
