package dev.berth.controllers.kai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.intake.Intake;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.PodManifest;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// KAI's objects and ours of the same name, into the ledger that ships.
final class InPlaceTest {
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final InPlace inPlace =
      new InPlace(
          new Intake(
              ledger,
              List.of(Kind.values()),
              Metrics.unseen(),
              "berth-system",
              PodManifest::readInPlaceOfKai));

  @Test
  void aQueueOfKaisIsAQueue() {
    kaiQueue("research", 4);
    assertThat(quota("research")).isEqualTo(4000);
    kaiQueue("research", 6);
    assertThat(quota("research")).isEqualTo(6000);
    inPlace.gone(Kind.KAI_QUEUE, object("research", 9, "resources", Map.of()));
    assertThat(queues()).isEmpty();
  }

  @Test
  void oursOfTheSameNameCountsWhicheverCameFirst() {
    kaiQueue("research", 4);
    inPlace.seen(Kind.QUEUE, object("research", 2, "quota", Map.of("gpu", 8)));
    assertThat(quota("research")).as("ours came later, with a lower version").isEqualTo(8000);
    kaiQueue("research", 5);
    assertThat(quota("research")).as("theirs changed").isEqualTo(8000);
    inPlace.gone(Kind.KAI_QUEUE, object("research", 50, "resources", Map.of()));
    assertThat(quota("research")).as("theirs went").isEqualTo(8000);
  }

  @Test
  void theirsComesBackWhenOursGoes() {
    inPlace.seen(Kind.QUEUE, object("research", 20, "quota", Map.of("gpu", 8)));
    kaiQueue("research", 4);
    assertThat(quota("research")).isEqualTo(8000);
    inPlace.gone(Kind.QUEUE, object("research", 30, "quota", Map.of()));
    assertThat(quota("research")).isEqualTo(4000);
    inPlace.seen(Kind.QUEUE, object("research", 31, "quota", Map.of("gpu", 2)));
    assertThat(quota("research")).as("and ours again").isEqualTo(2000);
  }

  @Test
  void aGroupIsTheirsUntilThereIsOneOfOurs() {
    var key = new GroupKey("default", "train");
    assertThat(inPlace.isTheirs(key)).as("before it is there").isFalse();
    inPlace.seen(Kind.KAI_POD_GROUP, group("train", 5, 4));
    assertThat(inPlace.isTheirs(key)).as("KAI's alone").isTrue();
    assertThat(minMember("train")).isEqualTo(4);
    inPlace.seen(Kind.POD_GROUP, group("train", 6, 2));
    assertThat(inPlace.isTheirs(key)).as("both").isFalse();
    assertThat(minMember("train")).isEqualTo(2);
    inPlace.gone(Kind.POD_GROUP, group("train", 7, 2));
    assertThat(inPlace.isTheirs(key)).as("KAI's alone again").isTrue();
    assertThat(minMember("train")).isEqualTo(4);
    inPlace.gone(Kind.KAI_POD_GROUP, group("train", 8, 4));
    assertThat(inPlace.isTheirs(key)).as("none").isFalse();
    assertThat(ledger.snapshot(Instant.EPOCH).groups()).isEmpty();
  }

  @Test
  void aTopologyOfKaisIsATopology() {
    var levels = List.of(Map.of("nodeLabel", "rack", "alias", "r"));
    inPlace.seen(Kind.KAI_TOPOLOGY, object("fabric", 3, "levels", levels));
    assertThat(ledger.snapshot(Instant.EPOCH).topologies().toString()).contains("fabric", "rack");
  }

  private void kaiQueue(String name, int gpus) {
    inPlace.seen(
        Kind.KAI_QUEUE, object(name, 40 + gpus, "resources", Map.of("gpu", Map.of("quota", gpus))));
  }

  private List<Queue> queues() {
    return ledger.snapshot(Instant.EPOCH).queues();
  }

  private long quota(String name) {
    return queues().stream()
        .filter(queue -> queue.name().equals(new QueueName(name)))
        .findFirst()
        .orElseThrow()
        .quota()
        .of(Resource.GPU);
  }

  private int minMember(String name) {
    return ledger.snapshot(Instant.EPOCH).groups().stream()
        .filter(group -> group.key().name().equals(name))
        .map(PodGroup::spec)
        .findFirst()
        .orElseThrow()
        .minMember();
  }

  private static Map<String, Object> group(String name, int version, int minMember) {
    var object = object(name, version, "minMember", minMember);
    object.put("metadata", metadata(name, version, Map.of("namespace", "default")));
    return object;
  }

  private static Map<String, Object> object(String name, int version, String field, Object value) {
    var object = new LinkedHashMap<String, Object>();
    object.put("metadata", metadata(name, version, Map.of()));
    object.put("spec", Map.of(field, value));
    return object;
  }

  private static Map<String, Object> metadata(String name, int version, Map<String, String> more) {
    var metadata = new LinkedHashMap<String, Object>(more);
    metadata.put("name", name);
    metadata.put("resourceVersion", Integer.toString(version));
    return metadata;
  }
}
