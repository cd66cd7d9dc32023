package dev.berth.extender.access;

/// The cluster's judges: whose token it is (TokenReview), and what its owner may do
/// (SubjectAccessReview).
public interface AccessReviewer {
  /// @param token as it was shown; never logged
  /// @param verb as RBAC has it, `get`
  /// @param path a non-resource URL, as RBAC has it
  /// @throws NoVerdict the API server did not answer
  Verdict review(String token, String verb, String path) throws NoVerdict;

  /// What was found.
  sealed interface Verdict {
    record Allowed(String user) implements Verdict {}

    record Forbidden(String user) implements Verdict {}

    /// The token is unknown or expired.
    record Unknown() implements Verdict {}
  }

  /// It could not be found out.
  final class NoVerdict extends Exception {
    private static final long serialVersionUID = 1;

    public NoVerdict(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
