package dev.berth.controllers.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AnsweredWritesTest {
  private static final PodKey POD = new PodKey("team", "a");
  private static final PodUid UID = new PodUid("uid-a");
  private static final Map<String, ?> WAITS = pod(Map.of("uid", "uid-a"), Map.of());
  private static final Map<String, ?> RUNS = pod(Map.of("uid", "uid-a"), Map.of("nodeName", "n1"));
  private static final Map<String, ?> GOES =
      pod(
          Map.of("uid", "uid-a", "deletionTimestamp", "2026-01-01T00:00:00Z"),
          Map.of("nodeName", "n1"));

  private final AnsweredWrites answered = new AnsweredWrites();
  private final ApiWriter writer = answered.noting(_ -> ApiWriter.NOT_TOLD);

  @Test
  void boundPodHasANode() throws ClientException {
    long before = answered.soFar();
    writer.write(new ApiWrite.Bind(POD, UID, new NodeName("n1"), new TreeMap<>()));
    assertThat(isPast(WAITS)).as("an older state: without a node").isTrue();
    assertThat(isPast(RUNS)).as("an older state: on its node").isFalse();
    assertThat(isPast(GOES)).as("an older state: leaving").isFalse();
    assertThat(answered.isPast(Kind.POD, WAITS, before)).as("a list that began before").isFalse();
    assertThat(answered.isPast(Kind.NODE, WAITS, answered.soFar()))
        .as("an older state: of another kind")
        .isFalse();
  }

  @Test
  void evictedPodGoes() throws ClientException {
    writer.write(new ApiWrite.Evict(POD, UID));
    assertThat(isPast(RUNS)).as("an older state: on its node").isTrue();
    assertThat(isPast(GOES)).as("an older state: leaving").isFalse();
  }

  @Test
  void stoppedPodGoes() throws ClientException {
    writer.write(new ApiWrite.Stop(POD, UID, Duration.ofSeconds(1)));
    assertThat(isPast(RUNS)).as("an older state: on its node").isTrue();
  }

  @Test
  void aHolderThatWasDeletedGoes() throws ClientException {
    writer.write(new ApiWrite.DeleteHolder(POD, UID));
    assertThat(isPast(RUNS)).as("an older state: on its node").isTrue();
    assertThat(isPast(pod(Map.of("uid", "another"), Map.of("nodeName", "n1"))))
        .as("an older state: of another pod of its name")
        .isFalse();
  }

  @Test
  void whatWasNotAnsweredOrRefusedTellsNothing() throws ClientException {
    var lost = new ClientException(ClientException.Kind.UNREACHABLE, "the reply was lost");
    var unreachable =
        answered.noting(_ -> {
          throw lost;
        });
    assertThatThrownBy(() -> unreachable.write(new ApiWrite.Evict(POD, UID))).isSameAs(lost);
    assertThat(isPast(RUNS)).as("an older state: on its node").isFalse();
  }

  @Test
  void aThousandTimesTenAreRemembered() throws ClientException {
    writer.write(new ApiWrite.Evict(POD, UID));
    for (int i = 1; i < 10_000; i++) {
      writer.write(new ApiWrite.Evict(POD, new PodUid("uid-" + i)));
    }
    assertThat(isPast(RUNS)).as("an older state: on its node").isTrue();
    writer.write(new ApiWrite.Evict(POD, new PodUid("uid-10000")));
    assertThat(isPast(RUNS)).as("an older state: on its node").isFalse();
  }

  private boolean isPast(Map<String, ?> pod) {
    return answered.isPast(Kind.POD, pod, answered.soFar());
  }

  private static Map<String, ?> pod(Map<String, ?> metadata, Map<String, ?> spec) {
    return Map.of("metadata", metadata, "spec", spec);
  }
}
