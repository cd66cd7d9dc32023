package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClaimTemplateClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.ShareClaim;
import java.util.List;
import java.util.Map;

/// ResourceClaimTemplates of a real cluster.
public final class ApiClaimTemplates implements ClaimTemplateClient {
  private final Api api;
  private final ClaimTemplateSettings settings;

  public ApiClaimTemplates(Api api, ClaimTemplateSettings settings) {
    this.api = api;
    this.settings = settings;
  }

  @Override
  public void create(String namespace, ShareClaim share) throws ClientException {
    String what = "create ResourceClaimTemplate " + namespace + "/" + share.template();
    ApiPath path = ApiPath.in("resource.k8s.io/v1", namespace, "resourceclaimtemplates");
    String body = JsonBodies.text(body(namespace, share));
    api.write(
        Write.CREATE_CLAIM_TEMPLATE,
        () -> {
          Answer answer = api.send(what, Ask.post(path, body));
          if (!answer.isDone() && answer.code() != 409) {
            throw answer.failure(what);
          }
        });
  }

  private Map<String, Object> body(String namespace, ShareClaim share) {
    var capacity = JsonBodies.object("requests", JsonBodies.object("memory", share.mib() + "Mi"));
    var exactly =
        JsonBodies.object(
            "deviceClassName",
            settings.deviceClass(),
            "allocationMode",
            "ExactCount",
            "count",
            share.count(),
            "capacity",
            capacity);
    var devices =
        JsonBodies.object(
            "requests", List.of(JsonBodies.object("name", "gpu", "exactly", exactly)));
    if (share.count() > 1) {
      devices.put(
          "constraints",
          List.of(JsonBodies.object("distinctAttribute", settings.distinctAttribute())));
    }
    return JsonBodies.object(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "ResourceClaimTemplate",
        "metadata",
        JsonBodies.object(
            "namespace",
            namespace,
            "name",
            share.template(),
            "labels",
            JsonBodies.object("app.kubernetes.io/managed-by", "berth")),
        "spec",
        JsonBodies.object("spec", JsonBodies.object("devices", devices)));
  }
}
