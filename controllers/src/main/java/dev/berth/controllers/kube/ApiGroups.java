package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.crd.PodGroupSpec;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.QueueName;
import java.util.List;
import java.util.Map;

/// PodGroup objects of a real cluster.
public final class ApiGroups implements PodGroupClient {
  private static final String VERSION = "berth.dev/v1alpha1";

  private final Api api;

  public ApiGroups(Api api) {
    this.api = api;
  }

  @Override
  public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
      throws ClientException {
    var metadata = metadata(key, owner);
    var spec = JsonBodies.object("minMember", minMember);
    if (!queue.isNone()) {
      spec.put("queue", queue.value());
    }
    var body =
        JsonBodies.object(
            "apiVersion", VERSION, "kind", "PodGroup", "metadata", metadata, "spec", spec);
    String what = "create PodGroup " + key;
    api.write(
        Write.CREATE_GROUP,
        () -> {
          Answer answer = api.send(what, Ask.post(path(key.namespace()), JsonBodies.text(body)));
          if (!answer.isDone() && !answer.reason().equals("AlreadyExists")) {
            throw answer.failure(what);
          }
        });
  }

  @Override
  public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits)
      throws ClientException {
    var key = spec.key();
    var body =
        JsonBodies.object(
            "apiVersion",
            VERSION,
            "kind",
            "PodGroup",
            "metadata",
            metadata(key, owner),
            "spec",
            PodGroupSpec.tree(spec, queue));
    String what = "keep PodGroup " + key;
    api.write(
        Write.CREATE_GROUP,
        () -> {
          Answer answer = api.send(what, Ask.post(path(key.namespace()), JsonBodies.text(body)));
          if (answer.reason().equals("AlreadyExists")) {
            answer = api.send(what, Ask.patch(path(key), JsonBodies.text(reshaping(spec, edits))));
          }
          if (!answer.isDone()) {
            throw answer.failure(what);
          }
        });
  }

  /// What is not said any more is removed, but for a topology that another client set. It needs no
  /// UID: the name of a group tells its workload's.
  private static Map<String, Object> reshaping(GroupSpec spec, Edits edits) {
    var shape = PodGroupSpec.shape(spec);
    PodGroupSpec.SHAPE.forEach(field -> shape.putIfAbsent(field, JsonBodies.NULL));
    edits.into(shape, JsonBodies.NULL);
    return JsonBodies.object("spec", shape);
  }

  @Override
  public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after)
      throws ClientException {
    var body = JsonBodies.object("status", after.over(before, JsonBodies.NULL));
    String what = "write the status of PodGroup " + key;
    api.write(
        Write.GROUP_STATUS,
        () -> api.done(what, Ask.patch(path(key).subresource("status"), JsonBodies.text(body))));
  }

  @Override
  public void delete(GroupKey key, String uid) throws ClientException {
    api.write(Write.DELETE_GROUP, () -> api.delete("delete PodGroup " + key, path(key), uid));
  }

  private static Map<String, Object> metadata(GroupKey key, Owner owner) {
    var metadata =
        JsonBodies.object(
            "name",
            key.name(),
            "namespace",
            key.namespace(),
            "labels",
            JsonBodies.object("app.kubernetes.io/managed-by", "berth"));
    if (!owner.uid().isNone()) {
      metadata.put(
          "ownerReferences",
          List.of(
              JsonBodies.object(
                  "apiVersion",
                  owner.apiVersion(),
                  "kind",
                  owner.kind(),
                  "name",
                  owner.name(),
                  "uid",
                  owner.uid().value())));
    }
    return metadata;
  }

  private static ApiPath path(String namespace) throws ClientException {
    return ApiPath.in(VERSION, namespace, "podgroups");
  }

  private static ApiPath path(GroupKey key) throws ClientException {
    return path(key.namespace()).named(key.name());
  }
}
