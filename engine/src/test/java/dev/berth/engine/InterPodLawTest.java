package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every plan where pods mind each other, over random worlds with two queues that
/// take from each other, so that many trials are undone.
class InterPodLawTest {
  static LongStream seeds() {
    return Seeds.worlds(400);
  }

  private static Snapshot world(long seed) {
    var random = new Random(seed);
    var world = cluster().queue("a", quota(4)).queue("b", quota(random.nextInt(4)));
    int nodes = 2 + random.nextInt(4);
    var racks = new Random(~seed);
    for (int i = 0; i < nodes; i++) {
      var node = gpus(1 + random.nextInt(4)).label("zone", "z" + random.nextInt(3));
      node.label("rack", "r" + racks.nextInt(3)); // its pool, where there are pools
      world.node("n" + i, random.nextInt(5) == 0 ? node : node.label("host", "n" + i));
    }
    for (int i = 0; i < 4; i++) {
      try {
        var sketch = group(random);
        if (!Settings.of(seed).poolLabel().isEmpty()) {
          sketch.on("n" + racks.nextInt(nodes)); // no group runs in two pools
        }
        world.running("r" + i, "b", sketch);
      } catch (IllegalArgumentException full) {
        // what fitted stays
      }
    }
    for (int i = 0; i < 6; i++) {
      world.waiting(
          "w" + i, random.nextBoolean() ? "a" : "b", Settings.inPool(group(random), seed, i));
    }
    return world.snapshot();
  }

  private static PodSketch group(Random random) {
    int count = 1 + random.nextInt(3);
    var sketch = random.nextBoolean() ? gang(count) : pods(count);
    sketch.label("app", "x" + random.nextInt(3)).minutesOld(random.nextInt(5));
    if (random.nextInt(4) == 0) {
      sketch.noGpu();
    }
    switch (random.nextInt(5)) {
      case 0 -> sketch.apart("host", "app", "x" + random.nextInt(3));
      case 1 -> sketch.apart("zone", "app", "x" + random.nextInt(3));
      case 2 -> sketch.near("zone", "app", "x" + random.nextInt(3));
      case 3 -> sketch.evenly("zone", 1, "app", "x" + random.nextInt(3));
      default -> {}
    }
    return sketch;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noPodIsPutBesideOneThatItMustBeApartFrom(long seed) {
    var snapshot = world(seed);
    var picture = new Picture(seed, snapshot);
    for (Pod placed : picture.placed) {
      for (Pod other : picture.all()) {
        boolean minded =
            picture.minds(placed, other, placed.asks().constraints().interPod().apart())
                || picture.minds(other, placed, other.asks().constraints().interPod().apart());
        assertThat(placed.uid().equals(other.uid()) || !minded)
            .as(() -> placed.key() + " beside " + other.key() + " on " + picture.nodeOf)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void podThatMustBeNearOthersIs(long seed) {
    var snapshot = world(seed);
    var picture = new Picture(seed, snapshot);
    for (Pod placed : picture.placed) {
      for (PodTerm term : placed.asks().constraints().interPod().near()) {
        boolean near = term.peers().include(placed.key().namespace(), placed.traits().labels());
        for (Pod other : picture.all()) {
          near |= picture.minds(placed, other, List.of(term));
        }
        for (Pod victim : picture.victims()) {
          String domain = picture.domain(placed, term);
          near |= picture.means(term, victim, picture.before, domain); // there when he comes
          near |= picture.means(term, victim, picture.again, domain);
        }
        boolean isNear = near;
        assertThat(isNear).as(() -> placed.key() + " is far from " + term).isTrue();
        assertThat(picture.domain(placed, term).startsWith("z"))
            .as(() -> placed.key() + " nowhere")
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameSnapshotGivesTheSamePlan(long seed) {
    var planner = Settings.planner(seed);
    assertThat(planner.plan(world(seed))).isEqualTo(planner.plan(world(seed)));
  }

  /// Where each pod is once the plan is carried out.
  private static final class Picture {
    final TreeMap<PodUid, NodeName> nodeOf = new TreeMap<>();
    final List<Pod> placed = new ArrayList<>();
    final TreeMap<PodUid, NodeName> before = new TreeMap<>();
    final TreeMap<PodUid, NodeName> again = new TreeMap<>();
    private final TreeSet<PodUid> victims = new TreeSet<>();
    private final TreeMap<PodUid, Pod> pods = new TreeMap<>();
    private final Snapshot snapshot;

    Picture(long seed, Snapshot snapshot) {
      this.snapshot = snapshot;
      for (PodGroup group : snapshot.groups()) {
        for (PodGroup.Member member : group.members()) {
          pods.put(member.pod().uid(), member.pod());
          if (member.standing() instanceof Standing.Bound(var placement)) {
            nodeOf.put(member.pod().uid(), placement.node());
            before.put(member.pod().uid(), placement.node());
          }
        }
      }
      for (Decision decision : Settings.planner(seed).plan(snapshot).decisions()) {
        if (decision instanceof Reserve reserve) {
          reserve.victims().forEach(victim -> victims.add(victim.uid()));
          reserve.victims().forEach(victim -> again.put(victim.uid(), victim.again().node()));
          Expectations.all(reserve)
              .forEach(each -> nodeOf.put(each.uid(), each.placement().node()));
          Expectations.all(reserve).forEach(each -> placed.add(pods.get(each.uid())));
        }
      }
      victims.forEach(nodeOf::remove);
    }

    List<Pod> all() {
      return nodeOf.keySet().stream().map(pods::get).toList();
    }

    List<Pod> victims() {
      return victims.stream().map(pods::get).toList();
    }

    String domain(Pod pod, PodTerm term) {
      return domain(nodeOf.get(pod.uid()), term);
    }

    private String domain(NodeName node, PodTerm term) {
      return snapshot
          .node(node)
          .map(room -> room.node().labels().getOrDefault(term.topologyKey(), ""))
          .orElse("");
    }

    /// Whether one of these terms means another pod in the same domain.
    boolean minds(Pod pod, Pod other, List<PodTerm> terms) {
      for (PodTerm term : terms) {
        if (!pod.uid().equals(other.uid()) && means(term, other, nodeOf, domain(pod, term))) {
          return true;
        }
      }
      return false;
    }

    /// Whether a term selects a pod in this domain.
    boolean means(PodTerm term, Pod other, Map<PodUid, NodeName> where, String domain) {
      var app = term.peers().expressions().getFirst().values().getFirst();
      return app.equals(other.traits().labels().get("app"))
          && !domain.isEmpty()
          && domain.equals(domain(where.get(other.uid()), term));
    }
  }
}
