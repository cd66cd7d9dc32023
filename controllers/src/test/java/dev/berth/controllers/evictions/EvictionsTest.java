package dev.berth.controllers.evictions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.World;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Pods;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

final class EvictionsTest {
  private final World world = new World().node("n1", 8);
  private final EvictingPods pods = new EvictingPods();
  private final InMemoryEvents events = new InMemoryEvents();
  private final Evictions evictions =
      new Evictions(
          world.ledger,
          pods,
          events,
          world,
          world.workers,
          new EvictionSettings(1, 2, Duration.ofSeconds(30)));

  @Test
  void noMoreAreAskedThanTheBudgetAllows() {
    for (String name : List.of("a", "b", "c", "d")) {
      running(name);
      evictions.take(List.of(victim(name)));
    }
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a", "b");
    seconds(1);
    assertThat(pods.evicted).containsExactly("a", "b", "c");
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b", "c", "d");
    assertThat(events.told).hasSize(4);
  }

  @Test
  void whoIsAskedAlreadyIsLeftOut() {
    pods.failures.add(DoorException.Kind.NOT_NOW);
    running("a");
    evictions.take(List.of(victim("a"), victim("a")));
    seconds(0.1);
    evictions.take(List.of(victim("a")));
    seconds(0.5);
    assertThat(pods.evicted).containsExactly("a");
    seconds(5);
    assertThat(pods.evicted).containsExactly("a", "a");
    assertThat(events.told).as("once it has come to pass").hasSize(1);
  }

  @Test
  void aBudgetThatNeverGivesInOutlastsOurPatienceOnce() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(DoorException.Kind.NOT_NOW);
    }
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(60);
    int asked = pods.evicted.size();
    assertThat(asked).isBetween(6, 12);
    seconds(600);
    assertThat(pods.evicted).as("given up").hasSize(asked);
    evictions.take(List.of(victim("a")));
    seconds(0.4);
    assertThat(pods.evicted).as("chosen anew").hasSize(asked + 1);
  }

  @Test
  void whoIsGoneIsForgotten() {
    pods.failures.add(DoorException.Kind.GONE);
    running("a");
    evictions.take(List.of(victim("a"), victim("never-seen")));
    seconds(60);
    assertThat(pods.evicted).containsExactly("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    assertThat(pods.evicted).as("asked, were it still there").containsExactly("a", "a");
  }

  @Test
  void staleEyesEvictNobody() {
    world.fresh = false;
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(10);
    assertThat(pods.evicted).isEmpty();
    world.fresh = true;
    seconds(1);
    assertThat(pods.evicted).containsExactly("a");
  }

  @Test
  void whoWasToLeaveForAPlanThatLapsedIsSpared() {
    running("a");
    evictions.take(List.of(victim("a", Cause.PREEMPT)));
    seconds(60);
    assertThat(pods.evicted).as("no plan counts on it").isEmpty();
  }

  private void running(String name) {
    world.pod(name, "", "nodeName: 'n1'", "phase: 'Running'");
  }

  private static Victim victim(String name) {
    return victim(name, Cause.STALE);
  }

  private static Victim victim(String name, Cause cause) {
    return new Victim(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        cause,
        new GroupKey("default", "heir"));
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class EvictingPods implements Pods {
    final List<String> evicted = new ArrayList<>();
    final ArrayDeque<DoorException.Kind> failures = new ArrayDeque<>();

    @Override
    public void lift(PodKey pod, PodUid uid, String plan) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void nominate(PodKey pod, PodUid uid, NodeName node) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void evict(PodKey pod, PodUid uid) throws DoorException {
      evicted.add(pod.name());
      if (!failures.isEmpty()) {
        throw new DoorException(failures.remove(), pod.name());
      }
    }
  }
}
