package dev.berth.controllers.grouping.kinds;

import java.util.Comparator;

/// The way to an object: an owner reference, or a name that a pod gives.
///
/// @param apiVersion a group without a version (`scheduling.k8s.io/`) means any that is served
/// @param namespace of the pod that it was reached from
/// @param uid empty = whichever bears the name
/// @param controller whether the reference says so
public record OwnerReference(
    String apiVersion, String kind, String namespace, String name, String uid, boolean controller)
    implements Comparable<OwnerReference> {
  /// An object that is known by name alone.
  public static OwnerReference named(
      String apiVersion, String kind, String namespace, String name) {
    return new OwnerReference(apiVersion, kind, namespace, name, "", false);
  }

  /// The same from a pod of that namespace.
  public OwnerReference from(String pods) {
    return new OwnerReference(apiVersion, kind, pods, name, uid, controller);
  }

  /// API group; empty = the core group.
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  private static final Comparator<OwnerReference> ORDER =
      Comparator.comparing(OwnerReference::uid)
          .thenComparing(OwnerReference::namespace)
          .thenComparing(OwnerReference::name)
          .thenComparing(OwnerReference::kind)
          .thenComparing(OwnerReference::apiVersion);

  @Override
  public int compareTo(OwnerReference other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return apiVersion + " " + kind + " " + namespace + "/" + name + " " + uid;
  }
}
