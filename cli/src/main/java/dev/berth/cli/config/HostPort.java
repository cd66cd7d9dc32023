package dev.berth.cli.config;

/// Where a server listens.
public record HostPort(String host, int port) {
  @Override
  public String toString() {
    return host + ":" + port;
  }
}
