package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.demo.DemoStage;
import dev.berth.cli.demo.RealTime;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.loop.VirtualThreads;
import java.time.Duration;

/// A demo with its pages, in real time.
final class DemoForPages implements AutoCloseable {
  private final RealTime time = new RealTime();
  private final VirtualThreads workers = new VirtualThreads("berth", time, Duration.ofSeconds(1));
  private final Wiring product;
  private final DemoPages pages;

  DemoForPages() {
    var config = Config.defaults();
    var stage = new DemoStage(time, 42);
    var rest = new RestModule();
    product =
        Wiring.of(
            config,
            new Wiring.ApiClients(stage.clients(), stage.events(), OwnerClient.BARRED),
            workers,
            rest.listening(new Metrics().counters()));
    stage.open(product.watcher(), product.verbs());
    product.start(Freshness.always());
    pages = DemoPages.open(rest, product, config, workers, 0);
  }

  String address() {
    return pages.address();
  }

  @Override
  public void close() {
    pages.close();
    product.stop();
    workers.close();
    time.close();
  }
}
