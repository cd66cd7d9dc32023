package dev.berth.engine.model;

/// How containers on a node get the GPU of their share (decision 20).
///
/// @param mode the word of the proven [dev.berth.engine.injection.InjectionMode]; empty = not
///   proven, and no share starts
/// @param runtimeClass `spec.runtimeClassName` that a share needs there; [#ANY_CLASS] = not looked
///   at, empty = none
/// @param fault why no share can be given there; empty = nothing known
/// @param probing what the probe of the node does, while nothing is proven; empty = there is none
public record Injection(String mode, String runtimeClass, String fault, String probing) {
  public static final String ANY_CLASS = "*";

  /// Where no proof is asked for: a plain UUID, whatever the runtime class.
  public static final Injection ASSUMED = new Injection("env", ANY_CLASS, "");

  /// No probe is there.
  public Injection(String mode, String runtimeClass, String fault) {
    this(mode, runtimeClass, fault, "");
  }

  public static Injection unproven(String runtimeClass) {
    return new Injection("", runtimeClass, "");
  }

  /// @param words such as `pod berth-system/probe-n1-0 tries mode env`
  public static Injection probing(String runtimeClass, String words) {
    return new Injection("", runtimeClass, "", words);
  }

  public static Injection failed(String runtimeClass, String fault) {
    return new Injection("", runtimeClass, fault);
  }

  public boolean isProven() {
    return !mode.isEmpty();
  }

  public boolean accepts(String podsClass) {
    return runtimeClass.equals(ANY_CLASS) || runtimeClass.equals(podsClass);
  }
}
