package dev.berth.cli;

import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.prometheus.PrometheusServer;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/// Which Prometheus a command asks, and how it is let in there. Secrets are in files: a command
/// line is read by every process of the machine.
final class PrometheusOptions {
  @Option(
      names = "--prometheus",
      paramLabel = "URL",
      description = "Its address, before /api/v1, such as http://localhost:9090.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Certificates in PEM that are trusted of Prometheus.")
  private Optional<Path> ca = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "With a bearer token for Prometheus.")
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "With USER:PASSWORD for Prometheus, for basic authentication.")
  private Optional<Path> passwordFile = Optional.empty();

  boolean isNamed() {
    return url.isPresent();
  }

  /// Empty = none is named.
  ///
  /// @throws MetricsException where an option cannot be used
  Optional<PrometheusServer> server() throws MetricsException {
    return url.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PrometheusServer(
                url.get(), new PrometheusServer.Access(ca, tokenFile, passwordFile)));
  }
}
