package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodConditionClient;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;

/// Conditions of the pods of a real cluster. Not urgent: few are under way at a time.
public final class ApiPodConditions implements PodConditionClient {
  private static final int IN_FLIGHT = 4;

  /// In bytes, as of an event: tenants write parts of what stands there.
  private static final int LONGEST = 1024;

  private final Api api;

  public ApiPodConditions(Api api) {
    this.api = api.forKind(ApiWrite.PodCondition.class, IN_FLIGHT);
  }

  /// A strategic merge patch, which leaves the other conditions and the time of this one.
  @Override
  public void waits(PodKey pod, PodUid uid, long version, String message) throws ClientException {
    var condition =
        JsonBodies.object(
            "type",
            "PodScheduled",
            "status",
            "False",
            "reason",
            "SchedulingGated",
            "message",
            TextLimits.message(message, LONGEST));
    var body =
        JsonBodies.object(
            "metadata",
            JsonBodies.object("uid", uid.value(), "resourceVersion", Long.toString(version)),
            "status",
            JsonBodies.object("conditions", List.of(condition)));
    String what = "tell pod " + pod + " why it waits";
    var path = ApiPath.in("v1", pod.namespace(), "pods").named(pod.name()).subresource("status");
    api.write(
        Write.POD_CONDITION, () -> api.done(what, Ask.strategicPatch(path, JsonBodies.text(body))));
  }

  /// Idempotent: of a pod that is another by now it writes nothing.
  @Override
  public void annotates(PodKey pod, PodUid uid, String message) throws ClientException {
    var note =
        JsonBodies.object(
            WellKnownNames.WAITING,
            message.isEmpty() ? JsonBodies.NULL : TextLimits.message(message, LONGEST));
    var body =
        JsonBodies.object("metadata", JsonBodies.object("uid", uid.value(), "annotations", note));
    String what = "annotate pod " + pod + " with why it waits";
    var path = ApiPath.in("v1", pod.namespace(), "pods").named(pod.name());
    api.write(Write.POD_CONDITION, () -> api.done(what, Ask.patch(path, JsonBodies.text(body))));
  }
}
