package dev.berth.bench.http;

/// The product did something else than what a pod's plan promises, or did not do it in time.
final class UnexpectedAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnexpectedAnswer(String sentence) {
    super(sentence);
  }
}
