package dev.berth.simulator.world;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.LeaseClient;
import java.util.Optional;

/// The one Lease of a world.
public final class WorldLeases implements LeaseClient {
  private final World world;
  private Optional<Lease> kept = Optional.empty();

  public WorldLeases(World world) {
    this.world = world;
  }

  /// It is what it was in an earlier state of the world.
  public void restore(Optional<Lease> earlier) {
    kept = earlier;
  }

  @Override
  public Optional<Lease> read() {
    return kept;
  }

  @Override
  public Lease write(Lease lease) throws ClientException {
    String is = kept.map(Lease::version).orElse("");
    if (!is.equals(lease.version())) {
      throw new ClientException(
          ClientException.Kind.CONFLICT,
          "the lease is at version " + is + ", not " + lease.version());
    }
    var written = lease.withVersion(Long.toString(world.stamp()));
    kept = Optional.of(written);
    return written;
  }
}
