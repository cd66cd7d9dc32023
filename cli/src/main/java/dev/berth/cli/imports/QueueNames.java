package dev.berth.cli.imports;

import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;

/// Names of Queues. A name is that of an object, and the value of a label on workloads: at most 63
/// lower-case letters, digits, `-` and `.`. The first queue of a name keeps it.
final class QueueNames {
  private static final int LONGEST = 63;
  private static final int HASH = 9; // with its hyphen

  private final TreeMap<String, String> byId = new TreeMap<>();
  private final TreeSet<String> taken = new TreeSet<>();

  /// Gives the queue a name, and tells where it is another one.
  void add(ImportedQueue queue, ImportLog log) {
    String valid = valid(queue.name());
    String kind = queue.id().substring(0, queue.id().indexOf('/'));
    String name = valid;
    for (int i = 1; !taken.add(name); i++) {
      name = valid(valid + "-" + kind + (i == 1 ? "" : "-" + i));
    }
    byId.put(queue.id(), name);
    if (!name.equals(queue.name())) {
      log.note(
          queue.origin().object().title(),
          "metadata.name " + why(queue.name(), valid) + ": the Queue is called " + name + ".");
    }
  }

  private static String why(String name, String valid) {
    if (name.equals(valid)) {
      return "is the name of another Queue";
    }
    return name.length() > LONGEST
        ? "has more than 63 characters, which no label of workloads takes"
        : "is no valid name of a Queue";
  }

  /// The name of the Queue; empty for an id that is not in the import.
  String of(String id) {
    return byId.getOrDefault(id, "");
  }

  boolean isTaken(String name) {
    return taken.contains(name);
  }

  /// The nearest valid name. A long one ends in a hash of the whole, so that it stays unique.
  static String valid(String name) {
    String lower = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
    String valid = trimmed(lower.replaceAll("-*\\.[.-]*", "."));
    if (valid.length() > LONGEST) {
      String hash = String.format(Locale.ROOT, "%08x", name.hashCode());
      valid = trimmed(valid.substring(0, LONGEST - HASH)) + "-" + hash;
    }
    return valid.isEmpty() ? "queue" : valid;
  }

  private static String trimmed(String name) {
    return name.replaceAll("^[.-]+|[.-]+$", "");
  }
}
