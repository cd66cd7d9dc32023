package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.loop.Workers;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.rest.Viewers;
import io.javalin.Javalin;
import io.javalin.util.JavalinBindException;

/// The pages and the REST API of a demo: open to all clients, on loopback alone.
final class DemoPages implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Javalin server;

  private DemoPages(Javalin server) {
    this.server = server;
  }

  /// @param port where it listens; another one where that is taken
  static DemoPages open(RestModule rest, Wiring product, Config config, Workers workers, int port) {
    var routes = rest.routes(product, config, workers, Viewers.ON_LOOPBACK);
    var server =
        Javalin.create(javalin -> {
          javalin.startup.showJavalinBanner = false;
          javalin.startup.showOldJavalinVersionWarning = false;
          RequestFailures.handleAll(javalin.routes);
          routes.forEach(each -> each.accept(javalin.routes));
        });
    try {
      return new DemoPages(server.start(LOOPBACK, port));
    } catch (JavalinBindException taken) {
      return new DemoPages(server.start(LOOPBACK, 0));
    }
  }

  /// Where a browser finds them.
  String address() {
    return "http://localhost:" + server.port() + "/";
  }

  @Override
  public void close() {
    server.stop();
  }
}
