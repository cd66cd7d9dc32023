package dev.berth.simulator.faults;

import dev.berth.controllers.client.ClientException;
import java.util.Locale;

/// How a write through a client comes to pass, or does not.
public interface WriteExecution {
  void write(Verb verb, Write write) throws ClientException;

  /// A write through a client.
  interface Write {
    void go() throws ClientException;
  }

  /// What is written.
  enum Verb {
    LIFT,
    NOMINATE,
    MARK_PREEMPTOR,
    BIND,
    EVICT,
    STOP,
    CREATE_HOLDER,
    DELETE_HOLDER,
    CREATE_GROUP,
    GROUP_STATUS,
    DELETE_GROUP,
    KEEP_GROUP,
    QUEUE_STATUS,
    MARK,
    LEASE;

    /// As a sentence has it.
    public String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }
}
