package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.SchedulerClient;
import dev.berth.controllers.kube.Api.Ask;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

/// Pods of the Deployment `berth-scheduler` of a real cluster, known by their label.
public final class ApiSchedulers implements SchedulerClient {
  private static final String OURS = "app.kubernetes.io/name=berth-scheduler";

  private final Api api;
  private final String namespace;

  public ApiSchedulers(Api api, String namespace) {
    this.api = api.bestEffort(1);
    this.namespace = namespace;
  }

  @Override
  public int restart(Instant startedBefore) throws ClientException {
    var pods = ApiPath.in("v1", namespace, "pods");
    String what = "list pods of kube-scheduler in " + namespace;
    Answer answer = api.done(what, Ask.get(pods.with("labelSelector", OURS)));
    int deleted = 0;
    for (Object item : answer.tree().get("items") instanceof List<?> list ? list : List.of()) {
      var pod = JsonBodies.fields(item);
      if (isOlder(pod, startedBefore)) {
        delete(pods, pod);
        deleted++;
      }
    }
    return deleted;
  }

  /// Whether its container runs, and did before that moment.
  private static boolean isOlder(Map<String, ?> pod, Instant moment) {
    var status = JsonBodies.fields(pod.get("status"));
    if (!(status.get("containerStatuses") instanceof List<?> containers)
        || !JsonBodies.at(pod, "metadata", "deletionTimestamp").isEmpty()) {
      return false;
    }
    return containers.stream()
        .map(container ->
            JsonBodies.at(JsonBodies.fields(container), "state", "running", "startedAt"))
        .anyMatch(started -> isBefore(started, moment));
  }

  private static boolean isBefore(String started, Instant moment) {
    try {
      return !started.isEmpty() && Instant.parse(started).isBefore(moment);
    } catch (DateTimeParseException unreadable) {
      return false;
    }
  }

  private void delete(ApiPath pods, Map<String, ?> pod) throws ClientException {
    String name = JsonBodies.at(pod, "metadata", "name");
    String what = "delete pod " + namespace + "/" + name;
    String uid = JsonBodies.at(pod, "metadata", "uid");
    Answer answer = api.send(what, Ask.deleteOnly(pods.named(name), uid));
    if (!answer.isDone() && answer.code() != 404) {
      throw answer.failure(what);
    }
  }
}
