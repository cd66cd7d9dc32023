package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PersistentVolumeClaim.State;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeManifestsTest {
  private static PersistentVolumeClaim claim(String metadata, String more) {
    return VolumeManifests.claim(
            Flow.tree(
                "{metadata: {namespace: ml, name: data, resourceVersion: 7"
                    + metadata
                    + "}, "
                    + more
                    + "}"))
        .orElseThrow();
  }

  @Test
  void aClaimIsBoundOnceTheControllerSaysSo() {
    String bound = ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}";
    assertThat(claim(bound, "spec: {volumeName: v, storageClassName: fast}"))
        .isEqualTo(
            new PersistentVolumeClaim(
                new PersistentVolumeClaim.Key("ml", "data"),
                7,
                State.BOUND,
                "v",
                "fast",
                NodeName.NONE,
                false));
    assertThat(claim("", "spec: {volumeName: v}").state()).isEqualTo(State.NOT_BOUND);
    assertThat(claim("", "spec: {}").state()).isEqualTo(State.NOT_BOUND);
    assertThat(claim(bound, "spec: {volumeName: v}, status: {phase: Lost}").state())
        .isEqualTo(State.LOST);
    assertThat(
            claim(
                    bound + ", deletionTimestamp: '2026-01-01T00:00:00Z'",
                    "spec: {volumeName: v}, status: {phase: Bound}")
                .state())
        .isEqualTo(State.DELETED);
    assertThat(
            claim(", deletionTimestamp: '2026-01-01T00:00:00Z'", "spec: {volumeName: v}").state())
        .as("whoever has the claim may name a volume, and delete it")
        .isEqualTo(State.DELETED_UNBOUND);
  }

  @Test
  void aClaimSaysWhetherOnePodMayUseIt() {
    assertThat(claim("", "spec: {accessModes: [ReadWriteOncePod]}").onePod()).isTrue();
    assertThat(claim("", "spec: {accessModes: [ReadWriteOnce, ReadOnlyMany]}").onePod()).isFalse();
  }

  @Test
  void theClassOfAClaimMayBeAnAnnotation() {
    assertThat(
            claim(", annotations: {volume.beta.kubernetes.io/storage-class: old}", "spec: {}")
                .storageClass())
        .isEqualTo("old");
  }

  @Test
  void aVolumeIsReachedFromTheNodesOfItsAffinity() {
    var volume =
        VolumeManifests.volume(
            Flow.tree(
                """
                {metadata: {name: v, resourceVersion: 3}, spec: {nodeAffinity: {required: {nodeSelectorTerms: [
                 {matchExpressions: [{key: zone, operator: In, values: [a, b]}]},
                 {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}}
                """));
    var zone = new Expression(false, "zone", Operator.IN, List.of("a", "b"));
    var name = new Expression(true, "metadata.name", Operator.IN, List.of("n1"));
    assertThat(volume)
        .contains(
            new PersistentVolume(
                "v", 3, List.of(new Term(List.of(zone)), new Term(List.of(name)))));
    assertThat(VolumeManifests.volume(Flow.tree("{metadata: {name: v}, spec: {nfs: {}}}")))
        .contains(new PersistentVolume("v", 0, List.of()));
    assertThat(
            VolumeManifests.volume(
                Flow.tree(
                    "{metadata: {name: v}, spec: {claimRef: {namespace: team, name: data, uid:"
                        + " u}}}")))
        .contains(
            new PersistentVolume(
                "v",
                0,
                List.of(),
                "",
                Optional.of(new PersistentVolumeClaim.Key("team", "data")),
                true));
    assertThat(
            VolumeManifests.volume(
                Flow.tree("{metadata: {name: v}, spec: {storageClassName: local}}")))
        .contains(new PersistentVolume("v", 0, List.of(), "local", Optional.empty(), true));
  }

  /// Another claim of that name does not get it.
  @Test
  void aVolumeWhoseClaimIsGoneIsMeantForNone() {
    for (String phase : List.of("Released", "Failed")) {
      var volume =
          VolumeManifests.volume(
              Flow.tree(
                  "{metadata: {name: v}, spec: {claimRef: {namespace: team, name: data, uid: u}},"
                      + " status: {phase: "
                      + phase
                      + "}}"));
      assertThat(volume)
          .contains(new PersistentVolume("v", 0, List.of(), "", Optional.empty(), false));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{metadata: {name: v}} | true",
        "{metadata: {name: v}, status: {phase: Available}} | true",
        "{metadata: {name: v}, status: {phase: Pending}} | false",
        "{metadata: {name: v}, status: {phase: Failed}} | false",
        "{metadata: {name: v, deletionTimestamp: 2026-01-01T00:00:00Z}, status: {phase:"
            + " Available}} | false",
        "{metadata: {name: v}, spec: {claimRef: {name: data}}, status: {phase: Available}} | false",
      })
  void aVolumeIsFreeThatIsAvailableAndMeantForNoClaim(String tree, boolean isFree) {
    assertThat(VolumeManifests.volume(Flow.tree(tree)).map(PersistentVolume::isFree))
        .contains(isFree);
  }

  /// Some of the terms alone would be fewer nodes than there are.
  @Test
  void aVolumeWithMoreTermsThanAreReadMayBeAnywhere() {
    var terms = new StringBuilder();
    for (int i = 0; i <= 100; i++) {
      terms.append("{matchExpressions: [{key: zone, operator: In, values: [z" + i + "]}]},");
    }
    var volume =
        VolumeManifests.volume(
            Flow.tree(
                "{metadata: {name: v}, spec: {nodeAffinity: {required: {nodeSelectorTerms: ["
                    + terms
                    + "]}}}}"));
    assertThat(volume.orElseThrow().nodes()).isEmpty();
  }

  @Test
  void aClassSaysWhetherClaimsWaitForTheirPodAndWhereVolumesAre() {
    var zones = new Expression(false, "zone", Operator.IN, List.of("a"));
    assertThat(
            VolumeManifests.storageClass(
                Flow.tree(
                    """
                    {metadata: {name: fast, resourceVersion: 9}, volumeBindingMode: WaitForFirstConsumer,
                     allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a]}]}]}
                    """)))
        .contains(new StorageClass("fast", 9, true, List.of(new Term(List.of(zones)))));
    assertThat(
            VolumeManifests.storageClass(
                Flow.tree(
                    "{metadata: {name: local}, provisioner: kubernetes.io/no-provisioner,"
                        + " volumeBindingMode: WaitForFirstConsumer}")))
        .contains(new StorageClass("local", 0, true, false, List.of()));
    assertThat(VolumeManifests.storageClass(Flow.tree("{metadata: {name: slow}}")))
        .contains(new StorageClass("slow", 0, false, List.of()));
  }

  @Test
  void aPodNamesItsClaimsOrHasThemMade() {
    var pod =
        PodManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: p}, spec: {volumes: [{name: a, emptyDir: {}},
                     {name: b, persistentVolumeClaim: {claimName: data}}, {name: c, ephemeral: {}}]}}
                    """))
            .orElseThrow();
    assertThat(pod.problems()).isEmpty();
    assertThat(pod.traits().volumes())
        .containsExactly(new Pod.VolumeRef("data", false), new Pod.VolumeRef("p-c", true));
  }

  /// The API server takes any text there, and it would stand in messages.
  @Test
  void aNameThatIsNoneIsAProblem() {
    var volume = Map.of("name", "d", "persistentVolumeClaim", Map.of("claimName", "a\nb: c"));
    var tree = Map.of("metadata", Map.of("name", "p"), "spec", Map.of("volumes", List.of(volume)));
    var pod = PodManifest.read(tree).orElseThrow();
    assertThat(pod.traits().volumes()).isEmpty();
    assertThat(pod.problems().getFirst().on("pod default/p"))
        .isEqualTo(
            "spec.volumes[0].persistentVolumeClaim.claimName is \"a b: c\" on pod default/p, but no"
                + " PersistentVolumeClaim has that name: it is of small letters, digits, - and .,"
                + " 253 at most.");
  }

  @Test
  void aTreeWithoutANameIsNone() {
    assertThat(VolumeManifests.claim(Flow.tree("{}"))).isEmpty();
    assertThat(VolumeManifests.volume(Flow.tree("{}"))).isEmpty();
    assertThat(VolumeManifests.storageClass(Flow.tree("{}"))).isEmpty();
  }
}
