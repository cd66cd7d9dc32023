package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.util.List;
import java.util.Map;

/// Probe pods of a real cluster, and the ConfigMap that the policy `berth-share-class` reads.
public final class ApiProbes implements ProbeClient {
  /// The parameter object of the policy.
  public static final String PARAMETERS = "berth-shares";

  private static final String DEVICES = "berth.dev/gpu-devices";
  private static final String INJECT = "berth.dev/gpu-inject";
  private static final String SCRIPT =
      NodePod.SEEN_GPUS + "printf %s \"$d\" > /dev/termination-log\n";

  private final Api api;
  private final NodePods pods;
  private final HolderPodSettings settings;

  /// @param settings where probes live, and their image
  public ApiProbes(Api api, HolderPodSettings settings) {
    this.api = api;
    this.pods = new NodePods(api, settings.namespace());
    this.settings = settings;
  }

  @Override
  public String namespace() {
    return settings.namespace();
  }

  @Override
  public void create(Probe probe) throws ClientException {
    String name = name(probe);
    String what = "create probe " + settings.namespace() + "/" + name;
    String body = JsonBodies.text(body(name, probe));
    api.write(
        Write.CREATE_PROBE,
        () -> {
          Answer answer = api.send(what, Ask.post(pods.path(), body));
          if (answer.code() == 409) {
            pods.requireStaying(name, what);
          } else if (!answer.isDone()) {
            throw answer.failure(what);
          }
        });
  }

  /// One name an attempt, so that the next can be created while the last one is deleted.
  private static String name(Probe probe) {
    int attempt = probe.failed().isEmpty() ? 0 : probe.failed().split(" ", -1).length;
    return NodePod.name("probe-", probe.node(), "-" + attempt);
  }

  private Map<String, Object> body(String name, Probe probe) {
    var container =
        NodePod.container(
            CONTAINER,
            SCRIPT,
            settings.image(),
            JsonBodies.object("requests", JsonBodies.object("cpu", "0", "memory", "0")));
    container.put(
        "env",
        List.of(
            JsonBodies.object(
                "name",
                "NVIDIA_VISIBLE_DEVICES",
                "valueFrom",
                JsonBodies.object(
                    "fieldRef",
                    JsonBodies.object("fieldPath", "metadata.annotations['" + INJECT + "']")))));
    var spec = NodePod.spec(probe.node(), "Never", List.of(container), settings);
    if (!probe.runtimeClass().isEmpty()) {
      spec.put("runtimeClassName", probe.runtimeClass());
    }
    var annotations =
        JsonBodies.object(
            NODE,
            probe.node().value(),
            MODE,
            probe.mode(),
            CLASS,
            probe.runtimeClass(),
            SIGNS,
            probe.signs(),
            FAILED,
            probe.failed(),
            DEVICES,
            probe.uuid(),
            INJECT,
            probe.variable());
    annotations.putAll(probe.nri());
    return NodePod.body(
        JsonBodies.object(
            "name",
            name,
            "namespace",
            settings.namespace(),
            "labels",
            JsonBodies.object("app.kubernetes.io/managed-by", "berth", LABEL, "true"),
            "annotations",
            annotations),
        spec);
  }

  @Override
  public void delete(PodKey probe, PodUid uid) throws ClientException {
    pods.delete(Write.DELETE_PROBE, "delete probe " + probe, probe, uid);
  }

  @Override
  public void runtimeClass(String runtimeClass) throws ClientException {
    ApiPath path = ApiPath.in("v1", settings.namespace(), "configmaps");
    var data = JsonBodies.object("runtimeClass", runtimeClass);
    String what = "write ConfigMap " + settings.namespace() + "/" + PARAMETERS;
    api.write(
        Write.SHARE_SETTINGS,
        () -> {
          Answer answer =
              api.send(
                  what,
                  Ask.patch(
                      path.named(PARAMETERS), JsonBodies.text(JsonBodies.object("data", data))));
          if (answer.code() == 404) {
            var body =
                JsonBodies.object(
                    "apiVersion",
                    "v1",
                    "kind",
                    "ConfigMap",
                    "metadata",
                    JsonBodies.object("name", PARAMETERS, "namespace", settings.namespace()),
                    "data",
                    data);
            answer = api.send(what, Ask.post(path, JsonBodies.text(body)));
          }
          if (!answer.isDone()) {
            throw answer.failure(what);
          }
        });
  }
}
