package dev.berth.engine.request;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An object that has been opened: what every reader of one begins with.
///
/// @param problems what is found wrong in it from here on
record Manifest(Tree root, Head head, Problems problems) {
  /// Empty for a tree without `metadata.name`.
  static Optional<Manifest> open(Map<?, ?> tree) {
    var problems = new Problems();
    Tree root = Tree.root(tree, problems);
    Head head = Head.read(root);
    return head.isNameless() ? Optional.empty() : Optional.of(new Manifest(root, head, problems));
  }

  Tree spec() {
    return root.object("spec");
  }

  /// @param fields those there are; others are a problem
  Tree spec(List<String> fields) {
    Tree spec = spec();
    spec.onlyKnows(fields);
    return spec;
  }

  Tree status() {
    return root.object("status");
  }
}
