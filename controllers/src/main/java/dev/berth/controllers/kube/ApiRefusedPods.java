package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.RefusedPodClient;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Rfc3339;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads the events by which controllers tell that a pod was not created. Any thread; it blocks the
/// caller.
public final class ApiRefusedPods implements RefusedPodClient {
  /// Of the controllers of Kubernetes, and of the training operator.
  private static final List<String> REASONS = List.of("FailedCreate", "FailedCreatePod");

  /// Events in an answer; of more, the rest is not read.
  private static final int MOST = 500;

  private static final int MOST_BYTES = 4 << 20;

  private final Api api;

  public ApiRefusedPods(Api api) {
    this.api = api;
  }

  @Override
  public List<RefusedPod> in(String namespace) throws ClientException {
    var latest = new TreeMap<OwnerUid, RefusedPod>();
    for (String reason : REASONS) {
      ApiPath path =
          ApiPath.in("events.k8s.io/v1", namespace, "events")
              .with("fieldSelector", "reason=" + reason)
              .with("limit", Integer.toString(MOST));
      String what = "list events " + reason + " of namespace " + namespace;
      Answer answer = api.send(what, Ask.get(path, "application/json", MOST_BYTES));
      if (answer.code() == 403 || answer.code() == Answer.TOO_LARGE) {
        continue;
      }
      if (!answer.isDone()) {
        throw answer.failure(what);
      }
      if (answer.tree().get("items") instanceof List<?> items) {
        items.forEach(item -> {
          var pod = read(JsonBodies.fields(item));
          latest.merge(pod.uid(), pod, ApiRefusedPods::later);
        });
      }
    }
    latest.remove(OwnerUid.NONE);
    return List.copyOf(latest.values());
  }

  private static RefusedPod later(RefusedPod one, RefusedPod other) {
    return other.last().isAfter(one.last()) ? other : one;
  }

  private static RefusedPod read(Map<String, ?> event) {
    return new RefusedPod(
        JsonBodies.at(event, "regarding", "apiVersion"),
        JsonBodies.at(event, "regarding", "kind"),
        JsonBodies.at(event, "regarding", "name"),
        new OwnerUid(JsonBodies.at(event, "regarding", "uid")),
        JsonBodies.at(event, "note"),
        last(event));
  }

  /// An event that is told again has the moment in one of several fields.
  private static Instant last(Map<String, ?> event) {
    var texts =
        List.of(
            JsonBodies.at(event, "series", "lastObservedTime"),
            JsonBodies.at(event, "deprecatedLastTimestamp"),
            JsonBodies.at(event, "eventTime"));
    for (String text : texts) {
      if (!text.isEmpty()) {
        try {
          return Rfc3339.parse(text);
        } catch (DateTimeException malformed) {
          return Instant.EPOCH;
        }
      }
    }
    return Instant.EPOCH;
  }
}
