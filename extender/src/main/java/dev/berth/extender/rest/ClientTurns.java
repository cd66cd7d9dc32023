package dev.berth.extender.rest;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/// One thread for the work of many parties, which take turns: after a piece of work the next is
/// that of another party, if any has one. So a party that asks without pause delays each of the
/// others by one piece of its work. Any thread.
final class ClientTurns {
  static final int MOST_OF_PARTY = 4;
  static final int MOST = 64;

  private final Executor thread;
  private final LinkedHashMap<String, ArrayDeque<Runnable>> lines =
      new LinkedHashMap<>(); // by party, the next first; guarded by this
  private int waiting; // guarded by this
  private boolean isAtWork; // guarded by this

  /// @param thread runs one thing at a time
  ClientTurns(Executor thread) {
    this.thread = thread;
  }

  /// Runs work when it is the party's turn.
  ///
  /// @param party empty = a viewer of everything, bounded by what waits in all
  /// @throws RejectedExecutionException as much waits already as may
  synchronized void run(String party, Runnable work) {
    var own = lines.getOrDefault(party, new ArrayDeque<>());
    if (waiting >= MOST || !party.isEmpty() && own.size() >= MOST_OF_PARTY) {
      throw new RejectedExecutionException("as much waits as may");
    }
    own.add(work);
    lines.putIfAbsent(party, own);
    waiting++;
    if (!isAtWork) {
      isAtWork = true;
      thread.execute(this::work);
    }
  }

  private void work() {
    try {
      next().run();
    } finally {
      goOn();
    }
  }

  private synchronized Runnable next() {
    var first = lines.firstEntry();
    var work = first.getValue().remove();
    lines.remove(first.getKey());
    waiting--;
    if (!first.getValue().isEmpty()) {
      lines.put(first.getKey(), first.getValue()); // behind all others
    }
    return work;
  }

  private synchronized void goOn() {
    isAtWork = waiting > 0;
    if (isAtWork) {
      thread.execute(this::work);
    }
  }
}
