package dev.berth.controllers.client;

/// Executes writes to the API server, real or simulated. A decorator does something before or after
/// a write that it hands on, whatever its kind; [WriteClients] is what they end at. Any thread; it
/// blocks the caller.
@FunctionalInterface
public interface ApiWriter {
  /// Where the API server does not say which version the object has now, or it is not asked.
  String NOT_TOLD = "";

  /// @return the `resourceVersion` of the object after the write, or [#NOT_TOLD]; told of a
  ///   nomination, of a mark and of the lease
  String write(ApiWrite write) throws ClientException;
}
