package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods of a real cluster. A creation is tried once: where a second try is answered, its
/// caller would not hear that the first may still be done, when the holder has come and gone and
/// another pod has its device.
public final class ApiHolders implements HolderClient {
  private final Api api;
  private final Api once;
  private final NodePods pods;
  private final HolderPodSettings settings;

  public ApiHolders(Api api, HolderPodSettings settings) {
    this.api = api;
    this.once = api.forKind(ApiWrite.CreateHolder.class);
    this.pods = new NodePods(api, settings.namespace());
    this.settings = settings;
  }

  @Override
  public String namespace() {
    return settings.namespace();
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws ClientException {
    String name = HolderPod.name(node, slot);
    api.write(
        Write.CREATE_HOLDER,
        () ->
            create(name, JsonBodies.text(HolderPod.body(node, uid(node), slot, device, settings))));
  }

  /// Of the Node as it is now: one with another UID would have its holders collected as garbage.
  /// Where it cannot be read, nothing was created.
  private String uid(NodeName node) throws ClientException {
    String what = "read node " + node;
    try {
      Answer answer = api.done(what, Ask.get(ApiPath.all(Kind.NODE).named(node.value())));
      return JsonBodies.at(answer.tree(), "metadata", "uid");
    } catch (ClientException unread) {
      throw unread.kind() == ClientException.Kind.UNREACHABLE
          ? new ClientException(
              ClientException.Kind.NOT_NOW, String.valueOf(unread.getMessage()), unread)
          : unread;
    }
  }

  private void create(String name, String body) throws ClientException {
    String what = "create holder " + settings.namespace() + "/" + name;
    Answer answer = once.send(what, Ask.post(pods.path(), body));
    if (answer.code() == 404) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          "could not "
              + what
              + ": "
              + answer.message()
              + ". Create the namespace, or name another"
              + " for holders.");
    }
    if (answer.code() == 409) {
      pods.requireStaying(name, what);
    } else if (!answer.isDone()) {
      throw answer.failure(what);
    }
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws ClientException {
    pods.delete(Write.DELETE_HOLDER, "delete holder " + holder, holder, uid);
  }
}
