package dev.berth.extender.access;

import dev.berth.extender.access.AccessReviewer.NoVerdict;
import java.util.Optional;

/// The cluster's judges of what may be read: whose token it is (TokenReview), and which objects its
/// owner may read (SubjectAccessReview).
///
/// @param <U> a user, as the API server describes it
public interface RightsReviewer<U> {
  /// @param token as it was shown; never logged
  /// @return empty = the token is unknown or expired
  /// @throws NoVerdict the API server did not answer
  Optional<U> owner(String token) throws NoVerdict;

  /// @throws NoVerdict the API server did not answer
  boolean may(U user, ObjectRight right) throws NoVerdict;

  /// As RBAC names the user.
  String name(U user);

  /// A right to objects, as RBAC has it.
  ///
  /// @param group of the API; empty = core
  /// @param resource plural, `queues`
  /// @param namespace empty = all, or of no namespace
  /// @param name empty = all
  record ObjectRight(String verb, String group, String resource, String namespace, String name) {
    /// All objects of a resource.
    public static ObjectRight toList(String group, String resource) {
      return new ObjectRight("list", group, resource, "", "");
    }

    /// Those of one namespace.
    public ObjectRight in(String one) {
      return new ObjectRight(verb, group, resource, one, name);
    }

    public static ObjectRight toGet(String group, String resource, String name) {
      return new ObjectRight("get", group, resource, "", name);
    }
  }
}
