package dev.berth.simulator.world;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Leases;
import java.util.Optional;

/// The one Lease of a world.
public final class WorldLeases implements Leases {
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
  public Lease write(Lease lease) throws DoorException {
    String is = kept.map(Lease::version).orElse("");
    if (!is.equals(lease.version())) {
      throw new DoorException(
          DoorException.Kind.CONFLICT,
          "the lease is at version " + is + ", not " + lease.version());
    }
    var written = lease.withVersion(Long.toString(world.stamp()));
    kept = Optional.of(written);
    return written;
  }
}
