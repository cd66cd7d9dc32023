package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A pod for real nodes whose containers print which GPUs they see. `restartPolicy` is Never unless
/// told otherwise.
final class GpuPod {
  /// Those of the namespace `default`.
  static final String PODS = "/api/v1/namespaces/default/pods";

  /// Prints one line about the GPUs that the container sees, also as its termination message.
  private static final String LOOK =
      """
      minors= uuids= shown=
      for node in /dev/nvidia[0-9]*; do
        [ -e "$node" ] || continue
        minors="$minors,${node#/dev/nvidia}"
        for file in /proc/driver/nvidia/gpus/*/information; do
          [ "$(sed -n 's/^Device Minor:[[:space:]]*//p' "$file")" = "${node#/dev/nvidia}" ] || continue
          uuids="$uuids,$(sed -n 's/^GPU UUID:[[:space:]]*//p' "$file")"
        done
      done
      for file in /proc/driver/nvidia/gpus/*/information; do
        [ ! -e "$file" ] || shown="$shown,$(sed -n 's/^GPU UUID:[[:space:]]*//p' "$file")"
      done
      line="sees variable=${NVIDIA_VISIBLE_DEVICES-unset} minors=${minors#,} uuids=${uuids#,} shown=${shown#,}"
      echo "$line"
      printf %s "$line" >/dev/termination-log
      """;

  private final ObjectNode pod = Api.JSON.createObjectNode();
  private final String name;
  private String namespace = "default";
  private boolean isRunning;

  private GpuPod(String name) {
    this.name = name;
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", name).putObject("annotations");
    var spec = pod.putObject("spec");
    spec.put("terminationGracePeriodSeconds", 0).put("restartPolicy", "Never");
    spec.putArray("containers");
    container("main");
  }

  /// A pod with one container, `main`, that asks for no GPU.
  static GpuPod named(String name) {
    return new GpuPod(name);
  }

  /// What a container sees.
  ///
  /// @param variable `NVIDIA_VISIBLE_DEVICES`, or `unset`
  /// @param minors of the device nodes `/dev/nvidiaN`
  /// @param uuids of these, as `/proc/driver/nvidia/gpus` tells them
  /// @param shown all that `/proc/driver/nvidia/gpus` shows
  record Seen(String variable, List<Integer> minors, List<String> uuids, List<String> shown) {
    static Seen parse(String line) {
      var values =
          Arrays.stream(line.strip().split(" "))
              .filter(word -> word.contains("="))
              .map(word -> word.split("=", 2))
              .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
      if (!values.keySet().equals(java.util.Set.of("variable", "minors", "uuids", "shown"))) {
        throw new AssertionError("not what a container says that looks for GPUs: " + line);
      }
      return new Seen(
          values.get("variable"),
          list(values, "minors").stream().map(Integer::valueOf).toList(),
          list(values, "uuids"),
          list(values, "shown"));
    }

    private static List<String> list(Map<String, String> values, String key) {
      return values.get(key).isEmpty() ? List.of() : List.of(values.get(key).split(","));
    }
  }

  /// Adds a container, which the calls after this one are about.
  GpuPod container(String container) {
    var added = spec().withArray("containers").addObject();
    added.put("name", container).put("image", "busybox:1.37");
    added.put("imagePullPolicy", "IfNotPresent");
    added.putArray("command").add("sh").add("-c").add(LOOK);
    return this;
  }

  /// Binds the pod without a scheduler.
  GpuPod on(RealNode node) {
    spec().put("nodeName", node.name());
    return this;
  }

  /// Lets a scheduler choose this node and no other.
  GpuPod onlyOn(RealNode node) {
    spec().withObject("/nodeSelector").put("kubernetes.io/hostname", node.name());
    return this;
  }

  GpuPod in(String other) {
    namespace = other;
    return this;
  }

  private String pods() {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  /// The last container has a claim that is made from a template.
  GpuPod claiming(String template) {
    var claim = spec().withArray("resourceClaims").addObject();
    claim.put("name", "gpu").put("resourceClaimTemplateName", template);
    last().withObject("/resources").withArray("claims").addObject().put("name", "gpu");
    return this;
  }

  GpuPod by(String scheduler) {
    spec().put("schedulerName", scheduler);
    return this;
  }

  GpuPod runtimeClass(String runtimeClass) {
    spec().put("runtimeClassName", runtimeClass);
    return this;
  }

  GpuPod annotated(String key, String value) {
    pod.withObject("/metadata/annotations").put(key, value);
    return this;
  }

  GpuPod labelled(String key, String value) {
    pod.withObject("/metadata/labels").put(key, value);
    return this;
  }

  GpuPod gpus(int count) {
    last().withObject("/resources").withObject("/limits").put("nvidia.com/gpu", "" + count);
    return this;
  }

  GpuPod variable(String value) {
    last().withArray("/env").addObject().put("name", "NVIDIA_VISIBLE_DEVICES").put("value", value);
    return this;
  }

  GpuPod image(String image) {
    last().put("image", image);
    return this;
  }

  /// Its containers are started again whenever they end (`restartPolicy: Always`).
  GpuPod restarted() {
    spec().put("restartPolicy", "Always");
    return this;
  }

  GpuPod privileged() {
    last().withObject("/securityContext").put("privileged", true);
    return this;
  }

  /// The pod stays running after it has looked.
  GpuPod running() {
    isRunning = true;
    return this;
  }

  private ObjectNode spec() {
    return (ObjectNode) pod.path("spec");
  }

  private ObjectNode last() {
    var containers = spec().path("containers");
    return (ObjectNode) containers.get(containers.size() - 1);
  }

  GpuPod create(Api api) {
    if (isRunning) {
      for (JsonNode container : spec().path("containers")) {
        ((ObjectNode) container)
            .putArray("command")
            .add("sh")
            .add("-c")
            .add(LOOK + "exec sleep 2147483647\n");
      }
    }
    api.createOrFail(pods(), pod.toString());
    return this;
  }

  /// Creates the pod, waits until it has looked, and deletes it unless it is a running one.
  Seen look(Api api, RealNode node) {
    create(api);
    if (isRunning) {
      return seen(api, node, "main");
    }
    var ended = ended(api);
    delete(api);
    var terminated = ended.at("/status/containerStatuses/0/state/terminated");
    if (terminated.path("exitCode").asInt(-1) != 0) {
      throw new AssertionError(name + " did not run: " + ended.path("status"));
    }
    return Seen.parse(terminated.path("message").asText());
  }

  /// Creates the pod, waits until it has failed, and deletes it.
  ///
  /// @return why its container, or the pod, failed
  String failure(Api api) {
    create(api);
    var ended = ended(api);
    delete(api);
    var status = ended.path("status");
    if (!status.path("phase").asText().equals("Failed")) {
      throw new AssertionError(name + " did not fail: " + status);
    }
    return status.path("message").asText()
        + status.at("/containerStatuses/0/state/terminated/message").asText();
  }

  /// Creates the pod, waits until its container cannot be created, and deletes it.
  ///
  /// @return why not
  String refusal(Api api) {
    create(api);
    ControlPlane.await(
        name + " has no container",
        () -> !waiting(api).path("message").asText().isEmpty(),
        () -> get(api).path("status").toString());
    String message = waiting(api).path("message").asText();
    delete(api);
    return message;
  }

  private JsonNode waiting(Api api) {
    return get(api).at("/status/containerStatuses/0/state/waiting");
  }

  /// What a container of a running pod has seen since it was started last.
  Seen seen(Api api, RealNode node, String container) {
    ControlPlane.await(
        name + " has looked",
        () -> node.podLog(namespace, name, container).contains("sees "),
        () -> get(api).path("status").toString());
    return Seen.parse(node.podLog(namespace, name, container).lines().toList().getLast());
  }

  JsonNode get(Api api) {
    return api.get(pods() + "/" + name);
  }

  private JsonNode ended(Api api) {
    ControlPlane.await(
        name + " ends",
        () -> List.of("Succeeded", "Failed").contains(phase(api)),
        () -> get(api).path("status").toString());
    return get(api);
  }

  String phase(Api api) {
    return get(api).at("/status/phase").asText();
  }

  void awaitRunning(Api api) {
    ControlPlane.await(
        name + " runs",
        () -> phase(api).equals("Running"),
        () -> get(api).path("status").toString());
  }

  /// The device IDs of the container `main` as the kubelet tells them in the pod's status.
  List<String> allocatedIds(Api api) {
    return get(api)
        .at("/status/containerStatuses/0/allocatedResourcesStatus")
        .findValuesAsText("resourceID");
  }

  /// Deletes the pod and waits until it is gone.
  void delete(Api api) {
    api.delete(pods() + "/" + name + "?gracePeriodSeconds=0");
    ControlPlane.await(
        name + " is gone",
        Duration.ofMinutes(1),
        () -> api.call("GET", pods() + "/" + name, "application/json", "").status() == 404,
        () -> "");
  }
}
