package dev.berth.controllers.grouping;

import java.util.Comparator;

/// An owner for the pods of one namespace. A tenant may name the UID of an owner elsewhere, which
/// makes its pods no members there.
///
/// @param namespace of the pods; the owner may have none
record OwnerInNamespace(String namespace, String uid) implements Comparable<OwnerInNamespace> {
  private static final Comparator<OwnerInNamespace> ORDER =
      Comparator.comparing(OwnerInNamespace::uid).thenComparing(OwnerInNamespace::namespace);

  @Override
  public int compareTo(OwnerInNamespace other) {
    return ORDER.compare(this, other);
  }
}
