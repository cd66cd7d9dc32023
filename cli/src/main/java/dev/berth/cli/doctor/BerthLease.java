package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import java.time.Duration;
import java.util.Optional;

/// The lease that the leading Berth holds and renews.
///
/// @param holder empty = it was given back
/// @param age since it was renewed, by the API server's clock; the holder's clock may differ
/// @param duration how long it lasts without being renewed
record BerthLease(String holder, Duration age, Duration duration) {
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /// Empty where it does not exist, or could not be read.
  static Optional<BerthLease> of(ClusterFacts facts) {
    return facts.trees(Source.LEASES).stream()
        .filter(one -> ClusterFacts.name(one).equals("berth"))
        .findFirst()
        .map(one -> read(one.object("spec"), facts));
  }

  private static BerthLease read(ManifestTree spec, ClusterFacts facts) {
    return new BerthLease(
        spec.text("holderIdentity"),
        Duration.between(spec.time("renewTime"), facts.now().minus(facts.skew())),
        Duration.ofSeconds(spec.number("leaseDurationSeconds", 0).orElse(15)));
  }

  boolean isFree() {
    return holder.isEmpty();
  }

  boolean isExpired() {
    return age.compareTo(duration.plus(TOLERANCE)) > 0;
  }

  /// Whether a Berth leads.
  boolean isHeld() {
    return !isFree() && !isExpired();
  }

  /// As `12 s`.
  String renewedAgo() {
    return Math.max(0, age.toSeconds()) + " s";
  }
}
