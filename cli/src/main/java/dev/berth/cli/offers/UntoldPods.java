package dev.berth.cli.offers;

/// A manifest of a kind that is known does not tell which pods come of it. The message says why,
/// and the way out.
final class UntoldPods extends Exception {
  private static final long serialVersionUID = 1;

  UntoldPods(String why) {
    super(why);
  }
}
