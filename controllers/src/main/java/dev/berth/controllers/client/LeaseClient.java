package dev.berth.controllers.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The one Lease for which candidates compete.
public interface LeaseClient {
  /// Where no other process can lead.
  LeaseClient NONE =
      new LeaseClient() {
        @Override
        public Optional<Lease> read() {
          return Optional.empty();
        }

        @Override
        public Lease write(Lease lease) {
          return lease;
        }
      };

  /// As it is now, past every cache; empty = there is none.
  Optional<Lease> read() throws ClientException;

  /// Writes it, unless it was written since (`CONFLICT`); one without a version is created.
  ///
  /// @return the same with its new version
  Lease write(Lease lease) throws ClientException;

  /// @param holder the process that has it; empty = none
  /// @param duration how long after `renewed` no other process may take it; whole seconds
  /// @param acquired when the holder took it, by its clock
  /// @param renewed when it said so last, by its clock
  /// @param term counts the takers (`leaseTransitions`)
  /// @param version of the object; empty = not written yet
  record Lease(
      String holder,
      Duration duration,
      Instant acquired,
      Instant renewed,
      int term,
      String version) {

    public Lease renewedAt(Instant now) {
      return new Lease(holder, duration, acquired, now, term, version);
    }

    /// Released: the next candidate may take it at once.
    public Lease released(Instant now) {
      return new Lease("", Duration.ofSeconds(1), acquired, now, term, version);
    }

    public Lease withVersion(String written) {
      return new Lease(holder, duration, acquired, renewed, term, written);
    }
  }
}
