package dev.berth.controllers.client;

/// How versions of the API server's objects compare: numbers that grow with every write to etcd
/// (Kubernetes 1.35: *resourceVersion may be compared*).
public final class ResourceVersion {
  private ResourceVersion() {}

  /// Whether the one is surely of an earlier state than the other; not where either is no number.
  public static boolean isBefore(String one, String other) {
    return number(one) >= 0 && number(one) < number(other);
  }

  private static long number(String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException opaque) {
      return -1;
    }
  }
}
