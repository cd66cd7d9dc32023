package dev.berth.engine.model;

/// How containers on a node get the GPU of their share (decision 20).
///
/// @param mode what the Binding writes into `berth.dev/gpu-inject`
/// @param runtimeClass `spec.runtimeClassName` that a share needs there; [#ANY_CLASS] = not looked
///   at, empty = none
/// @param fault why no share can be given there; empty = nothing known
public record Injection(Mode mode, String runtimeClass, String fault) {
  public static final String ANY_CLASS = "*";

  /// Where no proof is asked for: a plain UUID, whatever the runtime class.
  public static final Injection ASSUMED = new Injection(Mode.ENV, ANY_CLASS, "");

  public enum Mode {
    /// Not proven yet: no share starts.
    UNPROVEN,
    /// `NVIDIA_VISIBLE_DEVICES` holds UUIDs.
    ENV,
    /// `NVIDIA_VISIBLE_DEVICES` holds CDI names.
    ENV_CDI,
    /// The pod annotation that NVIDIA's NRI plugin reads holds CDI names.
    NRI
  }

  public static Injection unproven(String runtimeClass) {
    return new Injection(Mode.UNPROVEN, runtimeClass, "");
  }

  public static Injection failed(String runtimeClass, String fault) {
    return new Injection(Mode.UNPROVEN, runtimeClass, fault);
  }

  public boolean isProven() {
    return mode != Mode.UNPROVEN;
  }

  public boolean accepts(String podsClass) {
    return runtimeClass.equals(ANY_CLASS) || runtimeClass.equals(podsClass);
  }
}
