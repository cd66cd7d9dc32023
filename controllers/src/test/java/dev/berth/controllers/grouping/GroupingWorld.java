package dev.berth.controllers.grouping;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.request.PodManifest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/// A ledger, and a [Grouping] that tells it of the pods that watches deliver here.
final class GroupingWorld {
  final HandCranked workers = new HandCranked();
  final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  final Intake intake =
      new Intake(
          ledger, List.of(Kind.values()), Metrics.unseen(), "berth-system", PodManifest::read);
  final InMemoryEvents events = new InMemoryEvents();
  final Grouping grouping;
  private int version;

  /// @param objects the API server
  <T extends OwnerClient & PodGroupClient> GroupingWorld(T objects) {
    grouping =
        new Grouping(
            ledger,
            objects,
            objects,
            events,
            new GroupingSettings(List.of(), List.of("berth"), Duration.ofSeconds(30)),
            workers);
  }

  static Map<String, Object> tree(String yaml) {
    return new Yaml().load(yaml);
  }

  void seen(Kind kind, String yaml) {
    seen(kind, tree(yaml));
  }

  /// Each is of the next version.
  void seen(Kind kind, Map<String, Object> object) {
    if (object.get("metadata") instanceof Map<?, ?> metadata) {
      @SuppressWarnings("unchecked") // as the reader made it
      var fields = (Map<String, Object>) metadata;
      fields.put("resourceVersion", Integer.toString(++version));
    }
    intake.seen(kind, object);
    grouping.seen(kind, object);
  }

  /// An object as it was seen last.
  String lastSeen(String yaml) {
    return yaml.replace("metadata: {", "metadata: {resourceVersion: '%d', ".formatted(version));
  }

  void gone(String pod) {
    var farewell =
        tree("{metadata: {name: %s, namespace: default, uid: uid-%s}}".formatted(pod, pod));
    intake.gone(Kind.POD, farewell);
    grouping.gone(Kind.POD, farewell);
  }

  void soon() {
    workers.turn(Duration.ofMillis(10));
  }
}
