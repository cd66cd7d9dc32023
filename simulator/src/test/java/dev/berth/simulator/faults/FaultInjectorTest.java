package dev.berth.simulator.faults;

import static dev.berth.simulator.world.Objects.pod;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
    assertEquals(heard.stream().sorted().toList(), heard);
    assertEquals(40, heard.size());
  }

  @Test
  void aReorderedWatchLosesNothing() {
    var heard = heard(injector(Fault.REORDERED_WATCH, 0.3), 40);
    assertFalse(heard.stream().sorted().toList().equals(heard), "something was overtaken");
    assertEquals(40, heard.size());
  }

  @Test
  void aRepeatedWatchSaysItAgain() {
    assertEquals(80, heard(injector(Fault.REPEATED_WATCH, 1), 40).size());
  }

  @Test
  void aLostReplyWasStillWritten() {
    var created = world.create(Kind.POD, pod("a", "other"));
    var pods = pods(injector(Fault.LOST_REPLY, 1));
    var failed =
        assertThrows(
            ClientException.class,
            () ->
                pods.bind(
                    new PodKey("team", "a"),
                    new PodUid(ObjectTree.uid(created)),
                    new NodeName("n1"),
                    new TreeMap<>()));
    assertEquals(ClientException.Kind.UNREACHABLE, failed.kind());
    assertEquals("n1", PodView.of(world.list(Kind.POD).getFirst()).node());
  }

  @Test
  void aFailedWriteWasNotWrittenAndHealingEndsIt() throws ClientException {
    var created = world.create(Kind.POD, pod("a", "other"));
    var faultInjector = injector(Fault.FAILED_WRITE, 1);
    var pods = pods(faultInjector);
    var key = new PodKey("team", "a");
    var uid = new PodUid(ObjectTree.uid(created));
    assertThrows(ClientException.class, () -> pods.nominate(key, uid, new NodeName("n1")));
    faultInjector.heal();
    pods.nominate(key, uid, new NodeName("n1"));
    assertEquals(1, faultInjector.struck());
  }
}
