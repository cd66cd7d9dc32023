package dev.berth.controllers.gates;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Optional;

/// A line in which namespaces take turns, so that a block of hundreds of pods does not stand before
/// the pods of everybody else; FIFO within each. Not thread-safe.
///
/// @param <T> what waits
final class TurnsByNamespace<T> {
  private final LinkedHashMap<String, ArrayDeque<T>> lines = new LinkedHashMap<>(); // next first
  private int size;

  int size() {
    return size;
  }

  void addLast(String namespace, T one) {
    line(namespace).addLast(one);
    size++;
  }

  /// Before all others of its namespace.
  void addFirst(String namespace, T one) {
    line(namespace).addFirst(one);
    size++;
  }

  private ArrayDeque<T> line(String namespace) {
    return lines.computeIfAbsent(namespace, _ -> new ArrayDeque<>());
  }

  /// The first of the namespace whose turn it is; that one has its next turn after all others.
  ///
  /// @throws java.util.NoSuchElementException if none waits
  T removeFirst() {
    var next = Optional.ofNullable(lines.pollFirstEntry()).orElseThrow();
    T one = next.getValue().removeFirst();
    size--;
    if (!next.getValue().isEmpty()) {
      lines.putLast(next.getKey(), next.getValue());
    }
    return one;
  }
}
