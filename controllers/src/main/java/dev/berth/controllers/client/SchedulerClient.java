package dev.berth.controllers.client;

import java.time.Instant;

/// The kube-scheduler beside Berth, in its namespace.
public interface SchedulerClient {
  /// Deletes its pods whose container runs since before a moment: their Deployment makes them anew,
  /// and a process reads its certificate at its start alone. Others stay.
  ///
  /// @return how many
  int restart(Instant startedBefore) throws ClientException;
}
