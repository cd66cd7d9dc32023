package dev.berth.engine.placement;

/// Which of the nodes that would do is taken.
///
/// @param gpu for pods that use devices
/// @param cpu for pods that use none
public record Strategy(Spread gpu, Spread cpu) {
  public static final Strategy DEFAULT = new Strategy(Spread.BINPACK, Spread.BINPACK);

  public enum Spread {
    /// The node with the least room left.
    BINPACK,
    /// The node with the largest free part.
    SPREAD
  }
}
