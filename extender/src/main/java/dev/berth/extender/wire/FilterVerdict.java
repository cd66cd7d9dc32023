package dev.berth.extender.wire;

/// What filter says of one node. Messages end up in the pod's condition, where a text that changes
/// makes kube-scheduler try again: keep them few and constant, without numbers and names.
public final class FilterVerdict {
  public static final FilterVerdict PASSES = new FilterVerdict(Kind.PASSES, "");

  private final Kind kind;
  private final String message;
  private final byte[] quoted;

  enum Kind {
    PASSES,
    RESOLVABLE,
    UNRESOLVABLE
  }

  private FilterVerdict(Kind kind, String message) {
    this.kind = kind;
    this.message = message;
    this.quoted = Output.quoted(message);
  }

  /// Refused, but might pass if others left: kube-scheduler may try preemption there.
  public static FilterVerdict resolvable(String message) {
    return new FilterVerdict(Kind.RESOLVABLE, message);
  }

  /// Refused whatever leaves.
  public static FilterVerdict unresolvable(String message) {
    return new FilterVerdict(Kind.UNRESOLVABLE, message);
  }

  Kind kind() {
    return kind;
  }

  String message() {
    return message;
  }

  byte[] quoted() {
    return quoted;
  }
}
