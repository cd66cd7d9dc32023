package dev.berth.controllers.client;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Asks the API server about others: whose token it is, and what they may do.
public interface AccessReviewClient {
  /// @param user empty = an unknown or expired token
  record Review(String user, boolean isAllowed) {}

  /// A user, as TokenReview describes it and SubjectAccessReview asks about it.
  ///
  /// @param fields `uid`, `groups`, `extra`, where they were told
  record User(String name, Map<String, Object> fields) {
    public User {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }
  }

  /// @param group of the API; empty = core
  /// @param resource plural, `queues`
  /// @param namespace empty = all, or of no namespace
  /// @param name empty = all
  record ResourceAttributes(
      String verb, String group, String resource, String namespace, String name) {}

  /// @param verb as RBAC has it
  /// @param path a non-resource URL
  Review review(String token, String verb, String path) throws ClientException;

  /// @return empty = an unknown or expired token
  Optional<User> owner(String token) throws ClientException;

  boolean isAllowed(User user, ResourceAttributes what) throws ClientException;
}
