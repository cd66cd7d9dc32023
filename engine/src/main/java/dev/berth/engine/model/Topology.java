package dev.berth.engine.model;

import java.util.List;

/// How the cluster is wired: levels from the widest to the narrowest, each a node label.
public record Topology(String name, long version, List<Level> levels) {
  public Topology {
    levels = List.copyOf(levels);
  }

  /// @param alias a short name that workloads may use instead of the label; empty = none
  public record Level(String nodeLabel, String alias) {}

  /// What workloads call the levels, from the widest: the alias, or else the label.
  public List<String> levelNames() {
    return levels.stream()
        .map(level -> level.alias().isEmpty() ? level.nodeLabel() : level.alias())
        .toList();
  }

  /// Index of the level that is called so by label or alias; -1 where none is.
  public int indexOf(String level) {
    for (int i = 0; i < levels.size(); i++) {
      if (levels.get(i).nodeLabel().equals(level)
          || (!level.isEmpty() && levels.get(i).alias().equals(level))) {
        return i;
      }
    }
    return -1;
  }
}
