package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.cli.browser.Chromium;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.PodManifest;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.dashboard.Dashboard;
import dev.berth.extender.rest.ClusterFeed;
import dev.berth.extender.rest.ManifestReader;
import dev.berth.extender.rest.RestApi;
import dev.berth.extender.rest.RestSettings;
import dev.berth.extender.rest.Viewers;
import io.javalin.Javalin;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The map of 10,000 nodes with 80,000 GPUs in a headless Chromium, by hand: time until it is drawn
/// and frames while 200 pods a second come and go. Prints a line of each; software rendering.
class MapSpeedLoad {
  private static final int NODES = 10_000;
  private static final int PODS_OF_NODE = 5;

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private int created;

  private static NodeName node(int number) {
    return new NodeName(String.format(Locale.ROOT, "node-%05d", number));
  }

  private void nodes() {
    var allocatable =
        Amounts.of(Resource.CPU, 128_000)
            .plus(Amounts.of(Resource.MEMORY, 1L << 40))
            .plus(Amounts.of(Resource.PODS, 110))
            .plus(Amounts.of(Resource.NVIDIA, 8));
    for (int i = 0; i < NODES; i++) {
      ledger.record(
          new Fact.NodeSeen(
              new Node(
                  node(i),
                  1,
                  new TreeMap<>(Map.of("rack", "r" + i / 16)),
                  List.of(),
                  false,
                  true,
                  allocatable,
                  new Node.Accelerator(Resource.NVIDIA, 8, "H100", 81559, Node.Mig.NONE))));
    }
  }

  private static String name(int pod) {
    return "pod-" + pod;
  }

  private void come(int pod, int node) {
    ledger.record(
        new Fact.PodSeen(
            PodManifest.read(
                    Map.of(
                        "metadata",
                        Map.of(
                            "name",
                            name(pod),
                            "namespace",
                            "ml",
                            "uid",
                            "u" + pod,
                            "resourceVersion",
                            "1"),
                        "spec",
                        Map.of(
                            "nodeName",
                            node(node).value(),
                            "schedulerName",
                            "berth",
                            "containers",
                            List.of(
                                Map.of(
                                    "name",
                                    "main",
                                    "resources",
                                    Map.of("limits", Map.of("nvidia.com/gpu", "1"))))),
                        "status",
                        Map.of("phase", "Running")))
                .orElseThrow()));
  }

  private void go(int pod) {
    ledger.record(
        new Fact.PodGone(
            new dev.berth.engine.model.PodKey("ml", name(pod)),
            new dev.berth.engine.model.PodUid("u" + pod)));
  }

  /// A pod goes and another comes: two objects, and two nodes.
  private void change() {
    int old = created - NODES * PODS_OF_NODE;
    go(old);
    come(created, (int) ((created * 7919L) % NODES));
    created++;
  }

  @Test
  void tenThousandNodesAreDrawnAtOnceAndFollowed() throws Exception {
    var chromium = Chromium.found();
    assumeTrue(chromium.isPresent(), "there is no chromium: apt-get install chromium");
    nodes();
    for (; created < NODES * PODS_OF_NODE; created++) {
      come(created, created % NODES);
    }
    var clock = InstantSource.system();
    var planner = new Planner(PlannerSettings.DEFAULT);
    var feed = new ClusterFeed(ledger, planner, new StartForecasts(), clock, (_, _) -> {});
    var api =
        new RestApi(feed, Viewers.ON_LOOPBACK, planner, ManifestReader.NONE, RestSettings.DEFAULT);
    var server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  RequestFailures.handleAll(config.routes);
                  api.routes(config.routes);
                  Dashboard.routes(config.routes);
                })
            .start("127.0.0.1", 0);
    try (var changes = Executors.newSingleThreadScheduledExecutor();
        var browser = Chromium.open(chromium.get());
        var tab = browser.tab()) {
      tab.size(1360, 900, false);
      long from = System.nanoTime();
      tab.open("http://localhost:" + server.port() + "/");
      tab.await("performance.getEntriesByName('map-all').length > 0");
      double shown = (System.nanoTime() - from) / 1e9;
      double draw = tab.value("performance.getEntriesByName('map-all').at(-1).duration").asDouble();
      System.out.printf(Locale.ROOT, "shown after %.2f s, drawn in %.0f ms%n", shown, draw);
      double again =
          tab.value(
                  "(() => { const select = document.querySelector('main select');"
                      + " dispatchEvent(new Event('resize')); return"
                      + " Math.max(...performance.getEntriesByName('map-all').map(e => e.duration))"
                      + " })()")
              .asDouble();
      changes.scheduleAtFixedRate(this::change, 0, 10, TimeUnit.MILLISECONDS);
      Thread.sleep(3000);
      tab.value("performance.clearMeasures()");
      var frames =
          tab.value(
              """
              new Promise(done => {
                const gaps = [];
                let last = performance.now();
                const begin = last;
                const frame = now => {
                  gaps.push(now - last);
                  last = now;
                  if (now - begin < 10000) requestAnimationFrame(frame);
                  else {
                    gaps.sort((a, b) => a - b);
                    done({
                      perSecond: 1000 * gaps.length / (now - begin),
                      p99: gaps[Math.floor(gaps.length * 0.99)],
                      longest: gaps.at(-1),
                      drawings: performance.getEntriesByName('map-some').length,
                      drawing: Math.max(...performance.getEntriesByName('map-some').map(e => e.duration)),
                    });
                  }
                };
                requestAnimationFrame(frame);
              })
              """);
      System.out.println(
          "while 200 objects a second change: "
              + frames
              + ", slowest draw of all "
              + again
              + " ms");
      tab.picture(Path.of("target", "pages", "map-10000.png"));
      assertThat(draw).as("ms until 10,000 nodes are drawn").isLessThanOrEqualTo(200);
      assertThat(frames.get("perSecond").asDouble()).as("frames a second").isGreaterThan(58);
      assertThat(frames.get("drawings").asInt()).as("the map follows").isGreaterThan(20);
    } finally {
      server.stop();
    }
  }
}
