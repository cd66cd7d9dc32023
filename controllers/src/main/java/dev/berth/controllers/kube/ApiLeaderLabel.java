package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.LeaderLabelClient;
import dev.berth.controllers.kube.Api.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The label on the pods of a real cluster. Each call is tried once: the caller repeats it.
public final class ApiLeaderLabel implements LeaderLabelClient {
  /// Label of a pod that Berth writes: `"true"` on the replica of Berth that leads.
  static final String LABEL = "berth.dev/leader";

  private final Api fenced;
  private final Api open;
  private final String namespace;
  private final String pod;

  /// @param fenced sends only while this process has the lease
  /// @param open sends always: a process that lost the lease still removes its own label
  /// @param pod the name of the pod of this process
  public ApiLeaderLabel(Api fenced, Api open, String namespace, String pod) {
    this.fenced = fenced.bestEffort(1);
    this.open = open.bestEffort(1);
    this.namespace = namespace;
    this.pod = pod;
  }

  /// Of the pod in which this process runs; empty = its environment names none (`POD_NAME`,
  /// `POD_NAMESPACE`), so no Service selects it.
  public static Optional<LeaderLabelClient> from(
      Map<String, String> environment, Api fenced, Api open) {
    return ApiOwnPod.named(environment)
        .map(own -> new ApiLeaderLabel(fenced, open, own.namespace(), own.name()));
  }

  @Override
  public void put() throws ClientException {
    write(fenced, pod, "true");
    for (String other : others()) {
      try {
        write(fenced, other, JsonBodies.NULL);
      } catch (ClientException failed) {
        if (failed.kind() != ClientException.Kind.GONE) {
          throw failed;
        }
      }
    }
  }

  @Override
  public void remove() throws ClientException {
    write(open, pod, JsonBodies.NULL);
  }

  private List<String> others() throws ClientException {
    String what = "list pods with label " + LABEL + " in " + namespace;
    Answer answer = fenced.send(what, Ask.get(pods().with("labelSelector", LABEL)));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    var others = new ArrayList<String>();
    for (Object item : answer.tree().get("items") instanceof List<?> list ? list : List.of()) {
      String name = JsonBodies.at(JsonBodies.fields(item), "metadata", "name");
      if (!name.equals(pod)) {
        others.add(name);
      }
    }
    return others;
  }

  private void write(Api api, String name, Object value) throws ClientException {
    var body =
        JsonBodies.object("metadata", JsonBodies.object("labels", JsonBodies.object(LABEL, value)));
    String what =
        (value.equals(JsonBodies.NULL) ? "remove label " : "set label ")
            + LABEL
            + " of pod "
            + namespace
            + "/"
            + name;
    api.done(what, Ask.patch(pods().named(name), JsonBodies.text(body)));
  }

  private ApiPath pods() throws ClientException {
    return ApiPath.in("v1", namespace, "pods");
  }
}
