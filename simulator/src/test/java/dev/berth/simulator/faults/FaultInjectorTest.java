package dev.berth.simulator.faults;

import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FaultInjectorTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(9));

  private static FaultInjector injector(Fault fault, double likelihood) {
    var likelihoods = new EnumMap<Fault, Double>(Fault.class);
    likelihoods.put(fault, likelihood);
    return new FaultInjector(11, likelihoods);
  }

  private List<String> heard(FaultInjector faultInjector, int pods) {
    var heard = new ArrayList<String>();
    var listener =
        new Watcher() {
          @Override
          public void seen(Kind kind, Map<String, ?> object) {
            heard.add(ObjectTree.name(object));
          }

          @Override
          public void gone(Kind kind, Map<String, ?> object) {}

          @Override
          public void synced(Kind kind) {}
        };
    world.watch(EnumSet.of(Kind.POD), new FaultyWatch(listener, time, faultInjector));
    for (int i = 0; i < pods; i++) {
      world.create(Kind.POD, pod(String.format(Locale.ROOT, "p%02d", i), "other"));
      time.runFor(Duration.ofMillis(50));
    }
    faultInjector.heal();
    time.runFor(Duration.ofSeconds(20));
    return heard;
  }

  private PodClient pods(FaultInjector faultInjector) {
    var clients = WorldClients.of(world);
    return new WriterFacades(new FaultyWrites(clients, faultInjector), clients).pods();
  }

  @Test
  void aLateWatchLosesNothingAndKeepsTheOrder() {
    var heard = heard(injector(Fault.LATE_WATCH, 0.2), 40);
    assertThat(heard).isEqualTo(heard.stream().sorted().toList());
    assertThat(heard.size()).isEqualTo(40);
  }

  @Test
  void aReorderedWatchLosesNothing() {
    var heard = heard(injector(Fault.REORDERED_WATCH, 0.3), 40);
    assertThat(heard.stream().sorted().toList().equals(heard))
        .as("something was overtaken")
        .isFalse();
    assertThat(heard.size()).isEqualTo(40);
  }

  @Test
  void aRepeatedWatchSaysItAgain() {
    assertThat(heard(injector(Fault.REPEATED_WATCH, 1), 40).size()).isEqualTo(80);
  }

  @Test
  void aLostReplyWasStillWritten() {
    var created = world.create(Kind.POD, pod("a", "other"));
    var pods = pods(injector(Fault.LOST_REPLY, 1));
    var failed =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() ->
                pods.bind(
                    new PodKey("team", "a"),
                    new PodUid(ObjectTree.uid(created)),
                    new NodeName("n1"),
                    new TreeMap<>()))
            .actual();
    assertThat(failed.kind()).isEqualTo(ClientException.Kind.UNREACHABLE);
    assertThat(PodView.of(world.list(Kind.POD).getFirst()).node()).isEqualTo("n1");
  }

  @Test
  void aFailedWriteWasNotWrittenAndHealingEndsIt() throws ClientException {
    var created = world.create(Kind.POD, pod("a", "other"));
    var faultInjector = injector(Fault.FAILED_WRITE, 1);
    var pods = pods(faultInjector);
    var key = new PodKey("team", "a");
    var uid = new PodUid(ObjectTree.uid(created));
    assertThatExceptionOfType(ClientException.class)
        .isThrownBy(() -> pods.nominate(key, uid, new NodeName("n1")));
    faultInjector.heal();
    pods.nominate(key, uid, new NodeName("n1"));
    assertThat(faultInjector.struck()).isEqualTo(1);
  }
}
