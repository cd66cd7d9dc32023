package dev.berth.simulator.faults;

import dev.berth.simulator.world.Chance;
import java.util.EnumMap;
import java.util.Map;

/// How likely each fault is, and whether faults are injected now. One thread, the world's.
public final class FaultInjector {
  private final EnumMap<Fault, Double> likelihoods;
  private final Chance chance;
  private boolean healed;
  private final EnumMap<Fault, Long> struck = new EnumMap<>(Fault.class);

  /// @param likelihoods 0 … 1 by fault, for each event or write; absent = never
  public FaultInjector(long seed, Map<Fault, Double> likelihoods) {
    this.likelihoods = new EnumMap<>(Fault.class);
    this.likelihoods.putAll(likelihoods);
    this.chance = new Chance(seed, "storm");
  }

  /// Whether it strikes now.
  public boolean strikes(Fault fault) {
    boolean strikes = !healed && chance.comes(likelihoods.getOrDefault(fault, 0.0));
    if (strikes) {
      struck.merge(fault, 1L, Long::sum);
    }
    return strikes;
  }

  public Chance chance() {
    return chance;
  }

  /// From here on nothing goes wrong any more; what is under way still arrives.
  public void heal() {
    healed = true;
  }

  /// It goes on.
  public void rise() {
    healed = false;
  }

  /// How often something went wrong.
  public long struck() {
    return struck.values().stream().mapToLong(Long::longValue).sum();
  }

  /// The same for one of them.
  public long struck(Fault fault) {
    return struck.getOrDefault(fault, 0L);
  }
}
