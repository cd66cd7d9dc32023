package dev.berth.controllers.client;

import dev.berth.controllers.crd.QueueStatus;
import dev.berth.engine.model.QueueName;

/// Queue objects.
public interface QueueClient {
  /// Writes what differs (merge patch on the status subresource).
  ///
  /// @param before as a watch showed it last; where it is another by now, the watch will show it
  void status(QueueName queue, QueueStatus before, QueueStatus after) throws ClientException;
}
