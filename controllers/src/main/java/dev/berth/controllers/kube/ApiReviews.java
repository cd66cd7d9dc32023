package dev.berth.controllers.kube;

import dev.berth.controllers.client.AccessReviewClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import java.util.LinkedHashMap;
import java.util.Map;

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
      return new Review("", false);
    }
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("user", name);
    for (String field : new String[] {"uid", "groups", "extra"}) {
      if (user.containsKey(field)) {
        spec.put(field, user.get(field));
      }
    }
    spec.put("nonResourceAttributes", JsonBodies.object("path", path, "verb", verb));
    var access =
        status(
            "review what " + name + " may do",
            ACCESS,
            JsonBodies.object(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SubjectAccessReview",
                "spec",
                spec));
    return new Review(
        name,
        Boolean.TRUE.equals(access.get("allowed")) && !Boolean.TRUE.equals(access.get("denied")));
  }

  private Map<?, ?> status(String what, ApiPath path, Map<String, Object> review)
      throws ClientException {
    var answer = api.done(what, Ask.question(path, JsonBodies.text(review)));
    return answer.tree().get("status") instanceof Map<?, ?> status ? status : Map.of();
  }
}
