package dev.berth.controllers.lease;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;

/// Writes only while the fence is open: what begins later is not written, and its caller hears
/// `NOT_NOW`. Knows how many are under way, and tells the fence of those that were not answered, so
/// that a lease can be let go of when nothing is written late. Any thread.
public final class FencedWrites implements ApiWriter {
  private final ApiWriter inner;
  private final Fence fence;
  private int underWay; // these two: guarded by this
  private boolean shut;

  public FencedWrites(ApiWriter inner, Fence fence) {
    this.inner = inner;
    this.fence = fence;
  }

  /// Lets nothing more begin.
  public synchronized void shut() {
    shut = true;
  }

  public synchronized int underWay() {
    return underWay;
  }

  @Override
  public String write(ApiWrite write) throws ClientException {
    begin();
    try {
      return inner.write(write);
    } catch (ClientException failed) {
      if (failed.kind() == ClientException.Kind.UNREACHABLE) {
        fence.unanswered();
      }
      throw failed;
    } finally {
      end();
    }
  }

  private synchronized void begin() throws ClientException {
    if (shut || !fence.left().isPositive()) {
      throw new ClientException(
          ClientException.Kind.NOT_NOW, "not written: " + fence.barred().orElse("this one stops"));
    }
    underWay++;
  }

  private synchronized void end() {
    underWay--;
  }
}
