package dev.berth.controllers.injection;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.ProbeClient.Probe;
import dev.berth.controllers.loop.Next;
import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.model.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the probe pod that tries one mode on a node, and not the same one again before the watch
/// has had time to show it. Any thread, one at a time per node.
final class ProbeAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeAttempts.class);

  /// A probe that was asked for and that the watch has not shown.
  private static final Duration UNTIL_SEEN = Duration.ofSeconds(2);

  /// @param attempt signs and failures of a probe that was created
  private record Asked(String attempt, Instant until) {}

  private final ProbeClient pods;

  /// Attempts that were created and that the watch may not have shown yet. Guarded by this.
  private final TreeMap<NodeName, Asked> asked = new TreeMap<>();

  ProbeAttempts(ProbeClient pods) {
    this.pods = pods;
  }

  synchronized void forget(NodeName node) {
    asked.remove(node);
  }

  /// @param uuid the GPU that the probe must see, and no other
  /// @param failures modes that were tried before, and what each came to
  Next attempt(NodeInjection node, InjectionMode mode, String uuid, String failures, Instant now)
      throws ClientException {
    var uuids = List.of(uuid);
    var attempt = new Asked(node.signs() + " " + failures, now.plus(UNTIL_SEEN));
    synchronized (this) {
      var last = asked.get(node.name());
      if (last != null && last.attempt().equals(attempt.attempt()) && last.until().isAfter(now)) {
        return Next.at(last.until());
      }
    }
    pods.create(
        new Probe(
            node.name(),
            mode.word(),
            node.guess().runtimeClass(),
            uuid,
            mode.variable(uuids),
            nri(mode, uuids),
            node.signs(),
            failures));
    LOG.atInfo()
        .addKeyValue("node", node.name())
        .addKeyValue("mode", mode.word())
        .addKeyValue("because", new ArrayList<>(node.guess().because()))
        .log("probes how containers get their GPU");
    synchronized (this) {
      asked.put(node.name(), attempt);
    }
    return Next.at(attempt.until());
  }

  private static SortedMap<String, String> nri(InjectionMode mode, List<String> uuids) {
    var annotations = new TreeMap<String, String>();
    if (!mode.annotation(uuids).isEmpty()) {
      annotations.put(InjectionMode.annotationName(ProbeClient.CONTAINER), mode.annotation(uuids));
    }
    return annotations;
  }
}
