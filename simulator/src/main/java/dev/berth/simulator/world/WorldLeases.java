package dev.berth.simulator.world;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Leases;
import java.util.Optional;

/// The one Lease of a world.
public final class WorldLeases implements Leases {
  private Optional<Lease> kept = Optional.empty();
  private long version;

  @Override
  public Optional<Lease> read() {
    return kept;
  }

  @Override
  public Lease write(Lease lease) throws DoorException {
    String is = kept.map(Lease::version).orElse("");
    if (!is.equals(lease.version())) {
      throw new DoorException(
          DoorException.Kind.CONFLICT,
          "the lease is at version " + is + ", not " + lease.version());
    }
    var written = lease.withVersion(Long.toString(++version));
    kept = Optional.of(written);
    return written;
  }
}
