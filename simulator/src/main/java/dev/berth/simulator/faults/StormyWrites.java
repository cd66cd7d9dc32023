package dev.berth.simulator.faults;

import dev.berth.controllers.door.DoorException;

/// Does a write, or not, or does it and says that it did not.
public final class StormyWrites implements Writes {
  private final Storm storm;

  public StormyWrites(Storm storm) {
    this.storm = storm;
  }

  @Override
  public void write(Verb verb, Write write) throws DoorException {
    if (storm.strikes(Fault.FAILED_WRITE)) {
      throw new DoorException(DoorException.Kind.UNREACHABLE, "storm: connection refused");
    }
    if (storm.strikes(Fault.CONFLICT)) {
      throw new DoorException(DoorException.Kind.CONFLICT, "storm: somebody else was first");
    }
    if (storm.strikes(Fault.NOT_NOW)) {
      throw new DoorException(DoorException.Kind.NOT_NOW, "storm: too many requests");
    }
    write.go();
    if (storm.strikes(Fault.LOST_REPLY)) {
      throw new DoorException(DoorException.Kind.UNREACHABLE, "storm: the reply was lost");
    }
  }
}
