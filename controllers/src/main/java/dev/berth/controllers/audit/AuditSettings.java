package dev.berth.controllers.audit;

import java.time.Duration;

/// @param period between two looks; what is wrong in two of them in a row is told
public record AuditSettings(Duration period) {
  public static final AuditSettings DEFAULT = new AuditSettings(Duration.ofMinutes(1));
}
