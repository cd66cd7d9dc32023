package dev.berth.controllers.injection;

import dev.berth.controllers.injection.ProbeResult.Outcome;
import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.injection.InjectionGuess;
import dev.berth.engine.injection.InjectionGuess.Obstacle;
import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How containers of one node get their GPU, as far as it is known: what is guessed, and what its
/// latest probe came to.
///
/// @param modes in the order in which they are tried
/// @param signs of the node and of the cluster, which a probe must have been made for
record NodeInjection(
    NodeName name,
    InjectionGuess guess,
    List<InjectionMode> modes,
    String signs,
    Optional<ProbeResult> result) {
  /// The probe counts for the node as it is now.
  private Optional<ProbeResult> current() {
    return result.filter(this::isCurrent);
  }

  boolean isCurrent(ProbeResult probe) {
    return probe.signs().equals(signs)
        && probe.runtimeClass().equals(guess.runtimeClass())
        && modes.stream().anyMatch(mode -> mode.word().equals(probe.mode()));
  }

  Injection injection() {
    var excluding =
        guess.obstacles().stream()
            .filter(each -> each.fault().excludes() || modes.isEmpty())
            .findFirst();
    if (excluding.isPresent()) {
      return Injection.failed(guess.runtimeClass(), words(excluding.get()));
    }
    var probe = current();
    if (probe.isPresent() && probe.get().outcome() instanceof Outcome.Proven) {
      return new Injection(probe.get().mode(), guess.runtimeClass(), "");
    }
    if (probe.isEmpty()) {
      return Injection.unproven(guess.runtimeClass());
    }
    if (probe.get().outcome() instanceof Outcome.Blocked(var fault)) {
      var where = "pod " + probe.get().key() + " on node " + name + ": " + probe.get().words();
      return Injection.failed(guess.runtimeClass(), words(new Obstacle(fault, where)));
    }
    return isLastAttempt(probe.get())
        ? Injection.failed(guess.runtimeClass(), faultOf(probe.get()))
        : Injection.probing(guess.runtimeClass(), words(probe.get()));
  }

  /// What is tried, and what was in vain before.
  private String words(ProbeResult probe) {
    var failures = probe.failed();
    String tries = "tries mode " + probe.mode();
    if (probe.outcome() instanceof Outcome.Failed(InjectionFault fault)) {
      failures = (failures + " " + probe.mode() + "=" + fault.code()).trim();
      tries = "is followed by mode " + next(probe).map(InjectionMode::word).orElse("");
    }
    return ("pod " + probe.key() + " probes how containers of node " + name)
        + (" get their GPU: it " + tries)
        + (failures.isEmpty() ? "" : ", after " + String.join(", ", failures.split(" ", -1)));
  }

  /// It failed, and no mode is left to try.
  boolean isLastAttempt(ProbeResult probe) {
    return probe.outcome() instanceof Outcome.Failed && next(probe).isEmpty();
  }

  /// The mode to try after a failed probe.
  Optional<InjectionMode> next(ProbeResult probe) {
    int at = modes.indexOf(InjectionMode.of(probe.mode()).orElse(InjectionMode.ENV));
    return at + 1 < modes.size() ? Optional.of(modes.get(at + 1)) : Optional.empty();
  }

  /// What the guess suspects is more to the point than what a probe saw; of several attempts the
  /// first counts, for it was the likeliest. What each mode came to is told with it.
  private String faultOf(ProbeResult probe) {
    var tried = tried(probe);
    if (!guess.obstacles().isEmpty()) {
      var suspected = guess.obstacles().getFirst();
      String detail = suspected.detail().isEmpty() ? "" : suspected.detail() + "; ";
      return words(new Obstacle(suspected.fault(), detail + tried));
    }
    return words(new Obstacle(first(probe), tried));
  }

  private InjectionFault first(ProbeResult probe) {
    for (String earlier : probe.failed().split(" ", -1)) {
      for (InjectionFault fault : InjectionFault.values()) {
        if (earlier.equals(modes.getFirst().word() + "=" + fault.code())) {
          return fault;
        }
      }
    }
    return last(probe);
  }

  private static InjectionFault last(ProbeResult probe) {
    return probe.outcome() instanceof Outcome.Failed(InjectionFault known)
        ? known
        : InjectionFault.NO_DEVICE_SEEN;
  }

  /// `mode env: NoDeviceSeen, mode nri: MoreDevicesSeen: it saw GPU-0,GPU-1`.
  private static String tried(ProbeResult probe) {
    var tried = new ArrayList<String>();
    for (String earlier : probe.failed().split(" ", -1)) {
      if (!earlier.isEmpty()) {
        tried.add("mode " + earlier.replace("=", ": "));
      }
    }
    String more = probe.words().isEmpty() ? "" : ": " + probe.words();
    tried.add("mode " + probe.mode() + ": " + last(probe).code() + more);
    return String.join(", ", tried);
  }

  private static String words(Obstacle obstacle) {
    return obstacle.fault().sentence()
        + (obstacle.detail().isEmpty() ? "" : " [" + obstacle.detail() + "]")
        + ". "
        + obstacle.fault().wayOut();
  }
}
