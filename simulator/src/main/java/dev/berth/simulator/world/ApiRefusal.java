package dev.berth.simulator.world;

/// What the API server answers instead of doing it, with its HTTP status.
public final class ApiRefusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;

  public ApiRefusal(int status, String message) {
    super(message);
    this.status = status;
  }

  /// 403 forbidden, 404 not found, 409 conflict, 422 invalid, 429 not now.
  public int status() {
    return status;
  }

  static ApiRefusal notFound(ObjectRef ref) {
    return new ApiRefusal(404, ref + " not found");
  }

  static ApiRefusal forbidden(String message) {
    return new ApiRefusal(403, message);
  }

  static ApiRefusal conflict(String message) {
    return new ApiRefusal(409, message);
  }

  static ApiRefusal invalid(String message) {
    return new ApiRefusal(422, message);
  }
}
