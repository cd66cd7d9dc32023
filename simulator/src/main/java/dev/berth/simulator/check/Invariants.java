package dev.berth.simulator.check;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// All invariants of a world, over time: most hold at each moment, a gang's half-way state may last
/// as long as its deadline.
public final class Invariants {
  private final World world;
  private final GangWatch gangs;

  /// @param gangDeadline how long a gang may be partly bound: the plan's deadline and the barrier's
  public Invariants(World world, Duration gangDeadline) {
    this.world = world;
    this.gangs = new GangWatch(gangDeadline);
  }

  /// Every rule that is broken now, in words; empty when all hold.
  public List<String> broken() {
    var pods = world.list(Kind.POD);
    var broken = new ArrayList<String>(DeviceWatch.broken(world.list(Kind.NODE), pods));
    broken.addAll(
        gangs.broken(
            world.list(Kind.POD_GROUP), pods, world.list(Kind.JOB), world.time().instant()));
    return broken;
  }

  /// For [dev.berth.simulator.world.VirtualTime#afterEach].
  public void check() {
    var broken = broken();
    if (!broken.isEmpty()) {
      throw new IllegalStateException(
          "at " + world.time().instant() + ": " + String.join("; ", broken));
    }
  }

  /// Looks once, at everything that can be judged at one moment.
  public static List<String> check(World world) {
    return DeviceWatch.broken(world.list(Kind.NODE), world.list(Kind.POD));
  }

  /// How many gangs are partly bound now.
  public static int partlyBound(World world) {
    return GangWatch.partlyBound(
            world.list(Kind.POD_GROUP), world.list(Kind.POD), world.list(Kind.JOB))
        .size();
  }
}
