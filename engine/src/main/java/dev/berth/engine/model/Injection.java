package dev.berth.engine.model;

/// How containers on a node get the GPU of their share (decision 20).
///
/// @param mode the word of the proven [dev.berth.engine.injection.InjectionMode]; empty = not
///   proven, and no share starts
/// @param runtimeClass `spec.runtimeClassName` that a share needs there; [#ANY_CLASS] = not looked
///   at, empty = none
/// @param fault why no share can be given there; empty = nothing known
public record Injection(String mode, String runtimeClass, String fault) {
  public static final String ANY_CLASS = "*";

  /// Where no proof is asked for: a plain UUID, whatever the runtime class.
  public static final Injection ASSUMED = new Injection("env", ANY_CLASS, "");

  public static Injection unproven(String runtimeClass) {
    return new Injection("", runtimeClass, "");
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
