package dev.berth.engine.fairness;

/// How much some victims may lose together at most: a bound that spares trials, found step by step.
/// Never lower than what an action would agree to.
public interface LossBound {
  /// No queue may lose anything.
  LossBound NOTHING = new Constant(0);

  /// The losses are not counted.
  LossBound EVERYTHING = new Constant(Long.MAX_VALUE);

  void add(ChosenUnit chosen);

  /// The reverse of [#add].
  void remove(ChosenUnit chosen);

  /// Thousandths of devices that the added units may lose.
  long devices();

  /// The same of all units, added or not.
  long ceiling();

  /// The same for all units.
  record Constant(long devices) implements LossBound {
    @Override
    public void add(ChosenUnit chosen) {}

    @Override
    public void remove(ChosenUnit chosen) {}

    @Override
    public long ceiling() {
      return devices;
    }
  }
}
