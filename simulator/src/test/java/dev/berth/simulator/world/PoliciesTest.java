package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.controllers.client.Watcher.Kind;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The world refuses tenants what the rows of `docs/operators/admission.md` under *Changes of a
/// pod* refuse.
class PoliciesTest {
  private static final ObjectRef A = ObjectRef.pod("team", "a");

  private final World world =
      new World(new VirtualTime(Instant.parse("2026-01-01T00:00:00Z")), WorldSettings.of(1));
  private final TenantWrites tenant = new TenantWrites(world);

  private void patch(String field, String key, Object value) {
    tenant.patch(A, ObjectTree.of("metadata", ObjectTree.of(field, ObjectTree.of(key, value))));
  }

  private void refused(String field, String key, Object value) {
    var refusal =
        assertThatExceptionOfType(ApiRefusal.class)
            .isThrownBy(() -> patch(field, key, value))
            .actual();
    assertThat(refusal.status()).isEqualTo(403);
  }

  private Map<String, Object> share() {
    return annotated(pod("a", "berth"), "gpu-fraction", "0.5");
  }

  @ParameterizedTest
  @CsvSource({
    "annotations, berth.dev/plan, node=node-0000",
    "annotations, berth.dev/preemptor, uid-a",
    "annotations, berth.dev/gpu-devices, GPU-1",
    "annotations, berth.dev/gpu-inject, GPU-1",
    "annotations, berth.dev/gpu-share, 500",
    "annotations, nvidia.com/container.main.gpus.devices, GPU-1",
    "annotations, nvidia.cdi.k8s.io/container.main, GPU-1",
    "annotations, berth.dev/probe-mode, env",
    "annotations, mps, true",
    "annotations, gpu-fraction, 0.9",
    "annotations, berth.dev/gpu-model, H100",
    "labels, berth.dev/holder, true",
    "labels, berth.dev/probe, true",
    "labels, berth.dev/placeholder, true",
  })
  void ofAGatedPodWhatBerthWritesAndWhatWasAskedForStays(String field, String key, String value) {
    tenant.create(share());
    refused(field, key, value);
  }

  @Test
  void itsGateIsBerthsToLift() {
    tenant.create(share());
    var patch = ObjectTree.of("spec", ObjectTree.of("schedulingGates", ObjectTree.ABSENT));
    assertThat(
            assertThatExceptionOfType(ApiRefusal.class)
                .isThrownBy(() -> tenant.patch(A, patch))
                .actual()
                .status())
        .isEqualTo(403);
    world.patch(A, patch); // Berth's own
  }

  @ParameterizedTest
  @CsvSource({
    "labels, berth.dev/queue",
    "labels, berth.dev/preemptibility",
    "labels, berth.dev/pod-group",
    "labels, priorityClassName",
    "annotations, pod-group-name",
    "annotations, berth.dev/min-member",
  })
  void whatAPodIsChargedAsStaysOnceItHasItsPlace(String field, String key) {
    tenant.create(share());
    patch(field, key, "other");
    patch(field, key, ObjectTree.ABSENT);
    var plan =
        ObjectTree.of(
            "metadata", ObjectTree.of("annotations", ObjectTree.of("berth.dev/plan", "node=n1")));
    plan.put("spec", ObjectTree.of("schedulingGates", ObjectTree.ABSENT));
    world.patch(A, plan);
    refused(field, key, "other");
    patch("labels", "mine", "yes");
  }

  @Test
  void aTenantMakesNoPodOfOursOnANodeAndNoHolder() {
    var bound = onNode(share(), "n1");
    assertThatExceptionOfType(ApiRefusal.class).isThrownBy(() -> tenant.create(bound));
    var holder = pod("a", "default-scheduler");
    ObjectTree.under(ObjectTree.under(holder, "metadata"), "labels")
        .put("berth.dev/holder", "true");
    assertThatExceptionOfType(ApiRefusal.class).isThrownBy(() -> tenant.create(holder));
    var planned = annotated(share(), "berth.dev/plan", "node=n1");
    assertThatExceptionOfType(ApiRefusal.class).isThrownBy(() -> tenant.create(planned));
    tenant.create(onNode(pod("a", "default-scheduler"), "n1"));
    assertThat(world.list(Kind.POD).size()).isEqualTo(1);
  }
}
