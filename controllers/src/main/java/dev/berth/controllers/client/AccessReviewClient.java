package dev.berth.controllers.client;

/// Asks the API server about others: whose token it is, and what they may do.
public interface AccessReviewClient {
  /// @param user empty = nobody's token, or one that has run out
  record Review(String user, boolean isAllowed) {}

  /// @param verb as RBAC has it
  /// @param path a non-resource URL
  Review review(String token, String verb, String path) throws ClientException;
}
