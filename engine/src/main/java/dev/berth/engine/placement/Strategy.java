package dev.berth.engine.placement;

/// Which of the nodes with room is taken.
///
/// @param gpu for pods that use devices
/// @param cpu for pods that use none
public record Strategy(Spread gpu, Spread cpu) {
  public static final Strategy DEFAULT = new Strategy(Spread.ADAPTIVE, Spread.ADAPTIVE);

  public enum Spread {
    /// The node whose free capacity loses least value for the pods that usually arrive
    /// ([PackingCost]); binpack as long as too little is known of them.
    ADAPTIVE,
    /// The node with the least room left.
    BINPACK,
    /// The node with the largest free part.
    SPREAD
  }

  boolean isAdaptive() {
    return gpu == Spread.ADAPTIVE || cpu == Spread.ADAPTIVE;
  }

  /// Of pods that use devices, or of those that use none.
  Spread of(boolean usesDevices) {
    return usesDevices ? gpu : cpu;
  }
}
