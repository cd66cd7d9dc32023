package dev.berth.cli;

import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.grouping.Grouping;
import dev.berth.controllers.intake.Intake;
import java.util.Optional;

/// Whether this process may act on what it believes: it leads, all that was listed is in the
/// ledger, owners of pods are read, and the watches are alive. Any thread.
final class ClusterView implements Freshness {
  private final Fence fence;
  private final Intake intake;
  private final Grouping grouping;
  private volatile boolean stopping;
  private volatile Freshness watches = Freshness.missing("the start");

  ClusterView(Fence fence, Intake intake, Grouping grouping) {
    this.fence = fence;
    this.intake = intake;
    this.grouping = grouping;
  }

  /// @param fresh whether every watch is delivered and alive
  void start(Freshness fresh) {
    watches = fresh;
  }

  void stop() {
    stopping = true;
  }

  boolean isStopping() {
    return stopping;
  }

  /// What is missing before anything can be planned; empty = nothing.
  Optional<String> unseen() {
    if (stopping) {
      return Optional.of("this one stops");
    }
    return fence
        .barred()
        .or(() ->
            intake.isSynced()
                ? Optional.empty()
                : Optional.of("not yet delivered: " + String.join(", ", intake.awaited())));
  }

  @Override
  public boolean isFresh() {
    return unseen().isEmpty() && grouping.isCaughtUp() && watches.isFresh();
  }

  @Override
  public String whatIsMissing() {
    return unseen()
        .orElseGet(
            () -> grouping.isCaughtUp() ? watches.whatIsMissing() : "owners of pods (not read)");
  }
}
