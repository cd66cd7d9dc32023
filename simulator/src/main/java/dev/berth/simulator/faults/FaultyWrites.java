package dev.berth.simulator.faults;

import dev.berth.controllers.door.DoorException;

/// Does a write, or not, or does it and says that it did not.
public final class FaultyWrites implements Writes {
  private final FaultInjector faultInjector;

  public FaultyWrites(FaultInjector faultInjector) {
    this.faultInjector = faultInjector;
  }

  @Override
  public void write(Verb verb, Write write) throws DoorException {
    if (faultInjector.strikes(Fault.FAILED_WRITE)) {
      throw new DoorException(DoorException.Kind.UNREACHABLE, "storm: connection refused");
    }
    if (faultInjector.strikes(Fault.CONFLICT)) {
      throw new DoorException(DoorException.Kind.CONFLICT, "storm: somebody else was first");
    }
    if (faultInjector.strikes(Fault.NOT_NOW)) {
      throw new DoorException(DoorException.Kind.NOT_NOW, "storm: too many requests");
    }
    write.go();
    if (faultInjector.strikes(Fault.LOST_REPLY)) {
      throw new DoorException(DoorException.Kind.UNREACHABLE, "storm: the reply was lost");
    }
  }
}
