package dev.berth.cli;

/// Hands a call on to parts that are made after its source. Until they are connected, nothing hears
/// it. Any thread.
final class Relay implements Runnable {
  private volatile Runnable target = () -> {};

  /// Connects it: from now on a call reaches the target.
  void to(Runnable parts) {
    target = parts;
  }

  @Override
  public void run() {
    target.run();
  }
}
