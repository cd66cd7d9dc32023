package dev.berth.cli.doctor;

import java.time.Instant;
import java.util.List;

/// What answers at the extender's address.
///
/// @param health HTTP status of `/healthz`; 0 = no answer
/// @param ready HTTP status of `/leadz`; 0 = no answer
/// @param failure why there is no answer; empty = there is one
/// @param certificate empty list = none was shown
public record ExtenderReply(
    int health, int ready, String failure, List<ServerCertificate> certificate) {

  /// @param names its subject alternative names
  /// @param trusted whether the CA of the configuration signed it
  public record ServerCertificate(
      Instant notBefore, Instant notAfter, List<String> names, boolean trusted, String issue) {
    public ServerCertificate {
      names = List.copyOf(names);
    }
  }

  public ExtenderReply {
    certificate = List.copyOf(certificate);
  }

  static ExtenderReply failed(String why) {
    return new ExtenderReply(0, 0, why, List.of());
  }
}
