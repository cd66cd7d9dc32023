package dev.berth.controllers.injection;

import dev.berth.controllers.client.ProbeClient;
import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A probe pod as its object says.
///
/// @param failed what earlier attempts came to
/// @param outcome what this one came to
/// @param words more about a failure; may be empty
record ProbeResult(
    PodKey key,
    PodUid uid,
    NodeName node,
    String mode,
    String runtimeClass,
    String signs,
    String failed,
    Instant created,
    Outcome outcome,
    String words) {
  private static final int LONGEST = 300;

  /// What a probe came to.
  sealed interface Outcome {
    /// It has not ended.
    record Running() implements Outcome {}

    /// It cannot start, for a cause that has nothing to do with its mode. Its kubelet goes on
    /// trying.
    record Blocked(InjectionFault fault) implements Outcome {}

    /// It saw the GPU that it carried, and no other.
    record Proven() implements Outcome {}

    record Failed(InjectionFault fault) implements Outcome {}
  }

  /// @param pod a `v1` Pod with the label of a probe
  static ProbeResult of(Map<String, ?> pod) {
    var metadata = fields(pod.get("metadata"));
    var annotations = fields(metadata.get("annotations"));
    var status = fields(pod.get("status"));
    String phase = text(status, "phase");
    var container = first(status.get("containerStatuses"));
    var state = fields(container.get("state"));
    var terminated = fields(state.get("terminated"));
    String uuid = text(annotations, "berth.dev/gpu-devices");
    String seen = text(terminated, "message").trim();
    Outcome outcome = new Outcome.Running();
    String words = "";
    if (phase.equals("Succeeded")) {
      outcome =
          InjectionFault.ofProbe(seen, uuid)
              .<Outcome>map(Outcome.Failed::new)
              .orElseGet(Outcome.Proven::new);
      words = seen.isEmpty() ? "" : "it saw " + shortened(seen);
    } else if (phase.equals("Failed")) {
      words = seen.isEmpty() ? text(status, "message") : seen;
      outcome = new Outcome.Failed(fault(text(terminated, "reason") + " " + words));
    } else {
      var waiting = fields(state.get("waiting"));
      String said = text(waiting, "reason") + " " + text(waiting, "message");
      var known = InjectionFault.ofMessage(said);
      if (known.isPresent()) {
        outcome =
            known.get() == InjectionFault.IMAGE_MISSING
                ? new Outcome.Blocked(known.get())
                : new Outcome.Failed(known.get());
        words = text(waiting, "message");
      }
    }
    return new ProbeResult(
        new PodKey(text(metadata, "namespace"), text(metadata, "name")),
        new PodUid(text(metadata, "uid")),
        new NodeName(text(annotations, ProbeClient.NODE)),
        text(annotations, ProbeClient.MODE),
        text(annotations, ProbeClient.CLASS),
        text(annotations, ProbeClient.SIGNS),
        text(annotations, ProbeClient.FAILED),
        time(text(metadata, "creationTimestamp")),
        outcome,
        shortened(words.replaceAll("\\s+", " ").trim()));
  }

  /// 0 = the first with these signs.
  int attempt() {
    return failed.isEmpty() ? 0 : failed.split(" ", -1).length;
  }

  /// Of two of one node: whether the other one replaces it.
  boolean isBefore(ProbeResult other) {
    return signs.equals(other.signs)
        ? attempt() < other.attempt()
        : created.isBefore(other.created);
  }

  /// Of one pod: whether it says nothing new. One that was given up, or is blocked, stays so until
  /// it ends by itself; of what blocks one the kubelet says less each time.
  boolean isSameAs(ProbeResult known) {
    return equals(known)
        || outcome instanceof Outcome.Running
        || outcome instanceof Outcome.Blocked && outcome.equals(known.outcome);
  }

  ProbeResult overdue(Duration patience) {
    return new ProbeResult(
        key,
        uid,
        node,
        mode,
        runtimeClass,
        signs,
        failed,
        created,
        new Outcome.Failed(InjectionFault.NO_DEVICE_SEEN),
        "it did not end within " + patience.toSeconds() + " s; see pod " + key);
  }

  /// @param namespace where Berth's probes live: any tenant can write a label
  static boolean isProbe(Map<String, ?> pod, String namespace) {
    var metadata = fields(pod.get("metadata"));
    return text(metadata, "namespace").equals(namespace)
        && text(fields(metadata.get("labels")), ProbeClient.LABEL).equals("true")
        && !text(fields(metadata.get("annotations")), ProbeClient.NODE).isEmpty();
  }

  private static InjectionFault fault(String words) {
    return InjectionFault.ofMessage(words).orElse(InjectionFault.NO_DEVICE_SEEN);
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  private static Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException untold) {
      return Instant.EPOCH;
    }
  }

  private static Map<?, ?> first(@Nullable Object list) {
    return list instanceof List<?> all && !all.isEmpty() ? fields(all.getFirst()) : Map.of();
  }

  private static Map<?, ?> fields(@Nullable Object tree) {
    return tree instanceof Map<?, ?> fields ? fields : Map.of();
  }

  private static String text(Map<?, ?> tree, String field) {
    return tree.get(field) instanceof String text ? text : "";
  }
}
