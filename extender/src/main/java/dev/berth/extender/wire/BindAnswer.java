package dev.berth.extender.wire;

/// `ExtenderBindingResult`.
///
/// @param error a sentence; empty = the Binding is written
public record BindAnswer(String error) {
  public static final BindAnswer BOUND = new BindAnswer("");

  private static final byte[] HEAD = Output.raw("{\"Error\":");

  public boolean isBound() {
    return error.isEmpty();
  }

  public byte[] bytes() {
    return new Output(16 + error.length()).put(HEAD).put(Output.quoted(error)).put('}').bytes();
  }
}
