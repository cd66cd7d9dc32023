package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// At DEBUG each decision is a line, with the numbers of its queue: the product that ships, on a
/// world in memory.
class DecisionLogTest {
  /// Tests beside this one log, too.
  private static final Set<String> GROUPS = Set.of("team/waits", "team/starts");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(7));
  private final Logger logger = (Logger) LoggerFactory.getLogger(DecisionLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    // The others write while this one reads.
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.DEBUG);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private void put(Kind kind, String yaml) throws Exception {
    world.adopt(
        kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
  }

  private void pod(String name, String selector) throws Exception {
    put(
        Kind.POD,
        "{metadata: {name: %s, namespace: team, labels: {berth.dev/queue: q}}, spec: {schedulerName:"
                .formatted(name)
            + " berth, schedulingGates: [{name: berth.dev/queued}], nodeSelector: {%s}, containers:"
                .formatted(selector)
            + " [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}]}, status: {phase:"
            + " Pending}}");
  }

  private void run() throws Exception {
    put(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '9',"
            + " nvidia.com/gpu: '4'}}}");
    put(Kind.QUEUE, "{metadata: {name: q}, spec: {quota: {gpu: 3}}}");
    pod("waits", "zone: z");
    var product = WorldWiring.of(Config.defaults(), world, time);
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    product.start(Freshness.always());
    time.runFor(Duration.ofSeconds(30));
    pod("starts", "");
    time.runFor(Duration.ofSeconds(30));
  }

  private List<Map<String, String>> linesOf(String message) {
    return lines.list.stream()
        .filter(line -> line.getMessage().equals(message))
        .map(line -> {
          var values = new TreeMap<String, String>();
          line.getKeyValuePairs().forEach(pair -> values.put(pair.key, String.valueOf(pair.value)));
          return (Map<String, String>) values;
        })
        .filter(line -> GROUPS.contains(line.getOrDefault("group", "")))
        .toList();
  }

  @Test
  void aDecisionIsWrittenWithTheSharesOfItsQueueAndTheReason() throws Exception {
    run();
    assertThat(linesOf("reserves places"))
        .first()
        .satisfies(line ->
            assertThat(line)
                .containsEntry("group", "team/starts")
                .containsEntry("queue", "q")
                .containsEntry("places", "starts=n")
                .containsEntry("allocated", "0")
                .containsEntry("requested", "1")
                .containsEntry("fairShare", "1"));
    assertThat(linesOf("lets group wait"))
        .as("once, however often it is planned")
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .containsEntry("group", "team/waits")
                .hasEntrySatisfying("reason", code -> assertThat(code).isNotEmpty())
                .hasEntrySatisfying("why", why -> assertThat(why).startsWith("Waits: ")));
  }

  @Test
  void withoutDebugNothingIsWritten() throws Exception {
    logger.setLevel(Level.INFO);
    run();
    assertThat(linesOf("reserves places")).isEmpty();
    assertThat(linesOf("lets group wait")).isEmpty();
  }
}
