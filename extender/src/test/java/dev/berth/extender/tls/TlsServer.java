package dev.berth.extender.tls;

import static java.time.Duration.ofSeconds;

import dev.berth.extender.ExtenderServer;
import dev.berth.extender.Metrics;
import dev.berth.extender.ServerSettings;
import dev.berth.extender.Verbs;
import dev.berth.extender.verbs.VerbCluster;
import io.prometheus.client.CollectorRegistry;
import java.util.List;

/// The server that ships, before a cluster of a test.
final class TlsServer {
  private TlsServer() {}

  static ExtenderServer start(VerbCluster cluster, Transport transport) {
    var metrics = new Metrics(new CollectorRegistry());
    cluster.tally = metrics;
    return new ExtenderServer(
            new ServerSettings("127.0.0.1", 0, 16, ofSeconds(90), transport),
            new Verbs(cluster.filter, cluster.prioritize, cluster.preempt, cluster.bind),
            () -> cluster.missing,
            metrics,
            List.of())
        .start();
  }
}
