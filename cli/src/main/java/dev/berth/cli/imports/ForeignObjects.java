package dev.berth.cli.imports;

import dev.berth.simulator.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The objects of an import by kind and name. Queues of the other schedulers are kept, too, so that
/// an error can name the right import.
public final class ForeignObjects {
  private final OtherScheduler from;
  private final EnumMap<ForeignKind, TreeMap<String, ForeignObject>> byKind =
      new EnumMap<>(ForeignKind.class);
  private final ArrayList<String> wrongs = new ArrayList<>();

  ForeignObjects(OtherScheduler from) {
    this.from = from;
    for (ForeignKind kind : ForeignKind.values()) {
      byKind.put(kind, new TreeMap<>());
    }
  }

  OtherScheduler from() {
    return from;
  }

  /// Keeps an object of a kind that is known.
  ///
  /// @param file that it stands in; empty = from the API server
  void add(String file, Map<?, ?> tree) {
    String apiVersion = String.valueOf(tree.get("apiVersion"));
    for (ForeignKind kind : ForeignKind.values()) {
      if (kind.isKindOf(apiVersion, String.valueOf(tree.get("kind")))) {
        add(new ForeignObject(kind, file, tree), apiVersion);
      }
    }
  }

  private void add(ForeignObject object, String apiVersion) {
    String wrong = wrong(object, apiVersion);
    if (wrong.isEmpty()) {
      objects(object.kind()).put(object.key(), object);
    } else if (isWanted(object.kind())) {
      wrongs.add(object.where() + wrong);
    }
  }

  private String wrong(ForeignObject object, String apiVersion) {
    if (object.name().isEmpty()) {
      return "metadata.name is not set on a " + object.kind().kind() + ": name it.";
    }
    if (!object.kind().knows(apiVersion)) {
      return "apiVersion is \""
          + apiVersion
          + "\" on "
          + object.title()
          + ", but must be "
          + String.join(" or ", object.kind().apiVersions())
          + ".";
    }
    return has(object.kind(), object.key())
        ? object.title() + " is there twice: take one of them out."
        : "";
  }

  private boolean isWanted(ForeignKind kind) {
    return kind == from.queues() || from.others().contains(kind);
  }

  private TreeMap<String, ForeignObject> objects(ForeignKind kind) {
    return byKind.computeIfAbsent(kind, _ -> new TreeMap<>());
  }

  /// The objects of a kind, by name.
  List<ForeignObject> of(ForeignKind kind) {
    return List.copyOf(objects(kind).values());
  }

  boolean has(ForeignKind kind, String name) {
    return objects(kind).containsKey(name);
  }

  /// @param place that was read: a file, a folder or a server
  /// @throws ScenarioException where there is nothing to import, or what there is has no name or is
  ///   of a version that is not known
  void check(String place) throws ScenarioException {
    if (wrongs.isEmpty() && of(from.queues()).isEmpty()) {
      wrongs.add(
          place + ": there is no object to import: looked for " + from.queues().title() + hint());
    }
    if (!wrongs.isEmpty()) {
      throw new ScenarioException(wrongs);
    }
  }

  /// The import that would find something.
  private String hint() {
    var others = new LinkedHashMap<String, String>();
    for (OtherScheduler other : OtherScheduler.values()) {
      if (other != from && !of(other.queues()).isEmpty()) {
        others.put(other.queues().title(), "berth import " + other);
      }
    }
    var hint = new StringBuilder();
    others.forEach((title, command) ->
        hint.append("; there is ").append(title).append(" (").append(command).append(')'));
    return hint + ".";
  }
}
