package dev.berth.controllers.client;

import dev.berth.engine.model.OwnerUid;
import java.time.Instant;
import java.util.List;

/// Pods that the API server did not create for a controller, as the controller's events tell. Read
/// only. Any user that may create events in the namespace can write such events.
public interface RefusedPodClient {
  /// Knows of none.
  RefusedPodClient NONE = _ -> List.of();

  /// A creation that failed.
  ///
  /// @param apiVersion of the object whose controller tried it, such as a Job
  /// @param uid of that object; `NONE` = the event does not say
  /// @param message of the event
  /// @param last when it failed last
  record RefusedPod(
      String apiVersion, String kind, String name, OwnerUid uid, String message, Instant last) {}

  /// The latest of each object of a namespace, by uid; empty where events may not be read.
  ///
  /// @throws ClientException where it should be tried again
  List<RefusedPod> in(String namespace) throws ClientException;
}
