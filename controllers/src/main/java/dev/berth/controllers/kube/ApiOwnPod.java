package dev.berth.controllers.kube;

import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnPodClient;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import java.util.Map;
import java.util.Optional;

/// The pod of a process in a real cluster. Each call is tried once: the caller repeats it.
public final class ApiOwnPod implements OwnPodClient {
  /// Annotation of a pod that Berth writes: on a replica of Berth, the term in which it leads.
  static final String MARK = "berth.dev/term";

  private final Api fenced;
  private final String namespace;
  private final String pod;

  /// @param fenced sends only while this process has the lease
  ApiOwnPod(Api fenced, String namespace, String pod) {
    this.fenced = fenced.forKind(ApiWrite.Mark.class, 1);
    this.namespace = namespace;
    this.pod = pod;
  }

  /// Empty = the environment names no pod (`POD_NAME`, `POD_NAMESPACE`).
  public static Optional<OwnPodClient> from(Map<String, String> environment, Api fenced) {
    return named(environment).map(own -> new ApiOwnPod(fenced, own.namespace(), own.name()));
  }

  /// The pod that the environment of a process names.
  static Optional<PodKey> named(Map<String, String> environment) {
    String pod = environment.getOrDefault("POD_NAME", "");
    String namespace = environment.getOrDefault("POD_NAMESPACE", "");
    return pod.isEmpty() || namespace.isEmpty()
        ? Optional.empty()
        : Optional.of(new PodKey(namespace, pod));
  }

  @Override
  public String mark(String word) throws ClientException {
    var body =
        JsonBodies.object(
            "metadata", JsonBodies.object("annotations", JsonBodies.object(MARK, word)));
    String what = "set annotation " + MARK + " of pod " + namespace + "/" + pod;
    var path = ApiPath.in("v1", namespace, "pods").named(pod);
    Answer answer = fenced.send(what, Ask.patch(path, JsonBodies.text(body)));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return JsonBodies.at(answer.tree(), "metadata", "resourceVersion");
  }
}
