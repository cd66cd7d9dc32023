package dev.berth.controllers.groups;

import dev.berth.controllers.loop.PacedQueue;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.GroupKey;
import java.time.Instant;
import java.util.function.Consumer;

/// Where groups wait until something of theirs is told, each kind with its own budget: other words
/// of a status, events, and events of another kind of reason. Namespaces take turns. Any thread.
final class TellingQueues {
  private final PacedQueue<GroupKey> ofOtherWords;
  private final PacedQueue<GroupKey> byEvent;
  private final PacedQueue<GroupKey> ofOtherKinds;

  /// @param perSecond of each kind, lasting
  /// @param write has a status written
  /// @param tell tells an event
  TellingQueues(
      double perSecond, Workers workers, Consumer<GroupKey> write, Consumer<GroupKey> tell) {
    this.ofOtherWords = new PacedQueue<>(perSecond, GroupKey::namespace, workers, write);
    this.byEvent = new PacedQueue<>(perSecond, GroupKey::namespace, workers, tell);
    this.ofOtherKinds = new PacedQueue<>(perSecond, GroupKey::namespace, workers, tell);
  }

  void otherWords(GroupKey group, Instant notBefore) {
    ofOtherWords.add(group, notBefore);
  }

  void event(GroupKey group, Instant notBefore) {
    byEvent.add(group, notBefore);
  }

  void eventOfOtherKind(GroupKey group, Instant notBefore) {
    ofOtherKinds.add(group, notBefore);
  }

  /// Nothing of it is to be told any more.
  void gone(GroupKey group) {
    ofOtherWords.remove(group);
    byEvent.remove(group);
    ofOtherKinds.remove(group);
  }

  /// Keys that wait, of all kinds.
  int kept() {
    return ofOtherWords.size() + byEvent.size() + ofOtherKinds.size();
  }
}
