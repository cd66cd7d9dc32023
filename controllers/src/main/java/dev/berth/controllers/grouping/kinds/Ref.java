package dev.berth.controllers.grouping.kinds;

import java.util.Comparator;

/// The way to an object: an owner reference, or a name that a pod gives.
///
/// @param apiVersion a group without a version (`scheduling.k8s.io/`) means any that is served
/// @param namespace of the pod that it was reached from
/// @param uid empty = whichever bears the name
/// @param controller whether the reference says so
public record Ref(
    String apiVersion, String kind, String namespace, String name, String uid, boolean controller)
    implements Comparable<Ref> {
  /// An object that is known by name alone.
  public static Ref named(String apiVersion, String kind, String namespace, String name) {
    return new Ref(apiVersion, kind, namespace, name, "", false);
  }

  /// The way to an object that was read.
  public static Ref to(Thing thing) {
    return new Ref(
        thing.apiVersion(), thing.kind(), thing.namespace(), thing.name(), thing.uid(), false);
  }

  /// The same from a pod of that namespace.
  public Ref from(String pods) {
    return new Ref(apiVersion, kind, pods, name, uid, controller);
  }

  /// API group; empty = the core group.
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  private static final Comparator<Ref> ORDER =
      Comparator.comparing(Ref::uid)
          .thenComparing(Ref::namespace)
          .thenComparing(Ref::name)
          .thenComparing(Ref::kind)
          .thenComparing(Ref::apiVersion);

  @Override
  public int compareTo(Ref other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return apiVersion + " " + kind + " " + namespace + "/" + name + " " + uid;
  }
}
