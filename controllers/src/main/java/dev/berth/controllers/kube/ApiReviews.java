package dev.berth.controllers.kube;

import dev.berth.controllers.client.AccessReviewClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// TokenReview, then SubjectAccessReview with what the first says of the user. Neither is an object
/// that is kept. Needs `create` on both (`system:auth-delegator`).
public final class ApiReviews implements AccessReviewClient {
  private static final ApiPath TOKENS =
      ApiPath.fixed("/apis/authentication.k8s.io/v1/tokenreviews");
  private static final ApiPath ACCESS =
      ApiPath.fixed("/apis/authorization.k8s.io/v1/subjectaccessreviews");

  private final Api api;

  /// @param atOnce most questions under way; they take no turn from writes
  public ApiReviews(Api api, int atOnce) {
    this.api = api.bestEffort(atOnce);
  }

  @Override
  public Review review(String token, String verb, String path) throws ClientException {
    var user = owner(token);
    if (user.isEmpty()) {
      return new Review("", false);
    }
    var attributes = JsonBodies.object("path", path, "verb", verb);
    return new Review(
        user.get().name(), isAllowed(user.get(), "nonResourceAttributes", attributes));
  }

  @Override
  public Optional<User> owner(String token) throws ClientException {
    var owner =
        status(
            "review a token",
            TOKENS,
            JsonBodies.object(
                "apiVersion",
                "authentication.k8s.io/v1",
                "kind",
                "TokenReview",
                "spec",
                JsonBodies.object("token", token)));
    if (!Boolean.TRUE.equals(owner.get("authenticated"))
        || !(owner.get("user") instanceof Map<?, ?> user)
        || !(user.get("username") instanceof String name)
        || name.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String field : new String[] {"uid", "groups", "extra"}) {
      Object value = user.get(field);
      if (value != null) {
        fields.put(field, value);
      }
    }
    return Optional.of(new User(name, fields));
  }

  @Override
  public boolean isAllowed(User user, ResourceAttributes what) throws ClientException {
    var attributes =
        JsonBodies.object("verb", what.verb(), "group", what.group(), "resource", what.resource());
    if (!what.namespace().isEmpty()) {
      attributes.put("namespace", what.namespace());
    }
    if (!what.name().isEmpty()) {
      attributes.put("name", what.name());
    }
    return isAllowed(user, "resourceAttributes", attributes);
  }

  private boolean isAllowed(User user, String kind, Map<String, Object> attributes)
      throws ClientException {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("user", user.name());
    spec.putAll(user.fields());
    spec.put(kind, attributes);
    var access =
        status(
            "review what " + user.name() + " may do",
            ACCESS,
            JsonBodies.object(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SubjectAccessReview",
                "spec",
                spec));
    return Boolean.TRUE.equals(access.get("allowed")) && !Boolean.TRUE.equals(access.get("denied"));
  }

  private Map<?, ?> status(String what, ApiPath path, Map<String, Object> review)
      throws ClientException {
    var answer = api.done(what, Ask.question(path, JsonBodies.text(review)));
    return answer.tree().get("status") instanceof Map<?, ?> status ? status : Map.of();
  }
}
