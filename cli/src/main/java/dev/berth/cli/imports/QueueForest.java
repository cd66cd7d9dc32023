package dev.berth.cli.imports;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The queues of an import as trees, and the names of their Queues.
final class QueueForest {
  private final List<ImportedQueue> queues;
  private final QueueNames names = new QueueNames();
  private final TreeMap<String, String> parents = new TreeMap<>(); // of ids, to ids in the import
  private final TreeMap<String, List<ImportedQueue>> children = new TreeMap<>(); // by parent id

  /// Names the queues, and tells of parents that are not there or lead in a circle.
  ///
  /// @param queues those first that are to keep their names
  QueueForest(List<ImportedQueue> queues, ImportLog log) {
    this.queues = List.copyOf(queues);
    for (ImportedQueue queue : queues) {
      names.add(queue, log);
    }
    for (ImportedQueue queue : queues) {
      String parent = names.of(queue.parent()).isEmpty() ? "" : queue.parent();
      parents.put(queue.id(), parent);
      children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(queue);
      if (!queue.parent().isEmpty() && parent.isEmpty()) {
        queue
            .origin()
            .note(
                queue.parentField(),
                "is "
                    + nameOf(queue.parent())
                    + ", which is not in this import: workloads of the Queue wait until a Queue of"
                    + " that name exists (condition Orphan).");
      }
    }
    children.values().forEach(list -> list.sort(Comparator.comparing(this::name)));
    queues.forEach(this::checkParents);
  }

  /// The name that the Queue of this id has, or would have.
  String nameOf(String id) {
    String name = names.of(id);
    return name.isEmpty() && !id.isEmpty()
        ? QueueNames.valid(id.substring(id.indexOf('/') + 1))
        : name;
  }

  private String name(ImportedQueue queue) {
    return names.of(queue.id());
  }

  boolean has(String id) {
    return parents.containsKey(id);
  }

  /// Whether a Queue is called so.
  boolean hasName(String name) {
    return names.isTaken(name);
  }

  /// Whether the Queue that is called so has others below it: then it takes no workloads.
  boolean isInner(String name) {
    return queues.stream()
        .anyMatch(queue -> name(queue).equals(name) && children.containsKey(queue.id()));
  }

  private void checkParents(ImportedQueue queue) {
    var seen = new TreeSet<String>();
    String at = parents.getOrDefault(queue.id(), "");
    while (!at.isEmpty() && seen.add(at)) {
      if (at.equals(queue.id())) {
        queue
            .origin()
            .wrong(
                queue.parentField(),
                "that is "
                    + queue.name()
                    + " itself, or below it. Name a queue that is not, or leave it out for a queue"
                    + " at the top.");
        return;
      }
      at = parents.getOrDefault(at, "");
    }
  }

  /// Parents before their children, siblings by name. Queues in a circle are left out.
  List<ImportedQueue> inOrder() {
    var order = new ArrayList<ImportedQueue>();
    addBelow("", order);
    return order;
  }

  private void addBelow(String parent, List<ImportedQueue> order) {
    for (ImportedQueue queue : children.getOrDefault(parent, List.of())) {
      order.add(queue);
      addBelow(queue.id(), order);
    }
  }
}
