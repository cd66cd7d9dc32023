package dev.berth.engine.request;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An object that has been opened: what every reader of one begins with.
///
/// @param problems what is found wrong in it from here on
record Manifest(ManifestTree root, ObjectMeta head, Problems problems) {
  /// Empty for a tree without `metadata.name`.
  static Optional<Manifest> open(Map<?, ?> tree) {
    var problems = new Problems();
    ManifestTree root = ManifestTree.root(tree, problems);
    ObjectMeta head = ObjectMeta.read(root);
    return head.isNameless() ? Optional.empty() : Optional.of(new Manifest(root, head, problems));
  }

  ManifestTree spec() {
    return root.object("spec");
  }

  /// @param fields those there are; others are a problem
  ManifestTree spec(List<String> fields) {
    ManifestTree spec = spec();
    spec.onlyKnows(fields);
    return spec;
  }

  ManifestTree status() {
    return root.object("status");
  }
}
