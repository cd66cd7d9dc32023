package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.RequeueClient;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Instant;

/// Requeues pods of a real cluster. Not urgent: few are under way at a time.
public final class ApiRequeues implements RequeueClient {
  /// Annotation of a pod that Berth writes: when kube-scheduler was last made to try the pod again.
  private static final String REQUEUED = "berth.dev/requeued";

  private static final int IN_FLIGHT = 4;

  private final Api api;

  public ApiRequeues(Api api) {
    this.api = api.forKind(ApiWrite.Requeue.class, IN_FLIGHT);
  }

  @Override
  public void requeue(PodKey pod, PodUid uid, Instant now) throws ClientException {
    var body =
        JsonBodies.object(
            "metadata",
            JsonBodies.object(
                "uid", uid.value(), "annotations", JsonBodies.object(REQUEUED, now.toString())));
    String what = "requeue pod " + pod;
    var path = ApiPath.in("v1", pod.namespace(), "pods").named(pod.name());
    api.write(Write.REQUEUE, () -> api.done(what, Ask.patch(path, JsonBodies.text(body))));
  }
}
