package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.door.ClaimTemplates;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.ShareClaim;
import java.util.List;
import java.util.Map;

/// ResourceClaimTemplates of a real cluster.
public final class ApiClaimTemplates implements ClaimTemplates {
  private final Api api;
  private final ClaimTemplateSettings settings;

  public ApiClaimTemplates(Api api, ClaimTemplateSettings settings) {
    this.api = api;
    this.settings = settings;
  }

  @Override
  public void create(String namespace, ShareClaim share) throws DoorException {
    String what = "create ResourceClaimTemplate " + namespace + "/" + share.template();
    ApiPath path = ApiPath.in("resource.k8s.io/v1", namespace, "resourceclaimtemplates");
    String body = Json.text(body(namespace, share));
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
    var capacity = Json.object("requests", Json.object("memory", share.mib() + "Mi"));
    var exactly =
        Json.object(
            "deviceClassName",
            settings.deviceClass(),
            "allocationMode",
            "ExactCount",
            "count",
            share.count(),
            "capacity",
            capacity);
    var devices = Json.object("requests", List.of(Json.object("name", "gpu", "exactly", exactly)));
    if (share.count() > 1) {
      devices.put(
          "constraints", List.of(Json.object("distinctAttribute", settings.distinctAttribute())));
    }
    return Json.object(
        "apiVersion",
        "resource.k8s.io/v1",
        "kind",
        "ResourceClaimTemplate",
        "metadata",
        Json.object(
            "namespace",
            namespace,
            "name",
            share.template(),
            "labels",
            Json.object("app.kubernetes.io/managed-by", "berth")),
        "spec",
        Json.object("spec", Json.object("devices", devices)));
  }
}
