package dev.berth.simulator.faults;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;

/// Does a write, or not, or does it and says that it did not.
public final class FaultyWrites implements ApiWriter {
  private final ApiWriter inner;
  private final FaultInjector faultInjector;

  public FaultyWrites(ApiWriter inner, FaultInjector faultInjector) {
    this.inner = inner;
    this.faultInjector = faultInjector;
  }

  @Override
  public String write(ApiWrite write) throws ClientException {
    if (faultInjector.strikes(Fault.FAILED_WRITE)) {
      throw new ClientException(ClientException.Kind.UNREACHABLE, "fault: connection refused");
    }
    if (faultInjector.strikes(Fault.CONFLICT)) {
      throw new ClientException(ClientException.Kind.CONFLICT, "fault: another write was first");
    }
    if (faultInjector.strikes(Fault.NOT_NOW)) {
      throw new ClientException(ClientException.Kind.NOT_NOW, "fault: too many requests");
    }
    String version = inner.write(write);
    if (faultInjector.strikes(Fault.LOST_REPLY)) {
      throw new ClientException(ClientException.Kind.UNREACHABLE, "fault: the reply was lost");
    }
    return version;
  }
}
