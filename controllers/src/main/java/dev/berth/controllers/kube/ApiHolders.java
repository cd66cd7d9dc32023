package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Holders;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;

/// Holder pods of a real cluster. A creation is tried once: where a second try is answered, its
/// caller would not hear that the first may still be done, when the holder has come and gone and
/// its device is somebody else's.
public final class ApiHolders implements Holders {
  private final Api api;
  private final Api once;
  private final HolderPodSettings settings;

  public ApiHolders(Api api, HolderPodSettings settings) {
    this.api = api;
    this.once = api.once();
    this.settings = settings;
  }

  @Override
  public void create(NodeName node, int slot, Resource device) throws DoorException {
    String name = HolderPod.name(node, slot);
    api.write(
        Write.CREATE_HOLDER,
        () -> create(name, Json.text(HolderPod.body(node, uid(node), slot, device, settings))));
  }

  /// Of the Node as it is now: one with another UID would have its holders collected as garbage.
  /// Where it cannot be read, nothing was created.
  private String uid(NodeName node) throws DoorException {
    String what = "read node " + node;
    try {
      Answer answer = api.send(what, Ask.get("/api/v1/nodes/" + node.value()));
      if (!answer.isDone()) {
        throw answer.failure(what);
      }
      return Json.at(answer.tree(), "metadata", "uid");
    } catch (DoorException unread) {
      throw unread.kind() == DoorException.Kind.UNREACHABLE
          ? new DoorException(
              DoorException.Kind.NOT_NOW, String.valueOf(unread.getMessage()), unread)
          : unread;
    }
  }

  private void create(String name, String body) throws DoorException {
    String what = "create holder " + settings.namespace() + "/" + name;
    Answer answer = once.send(what, Ask.post(path(), body));
    if (answer.code() == 404) {
      throw new DoorException(
          DoorException.Kind.REFUSED,
          "could not "
              + what
              + ": "
              + answer.message()
              + ". Create the namespace, or name another"
              + " for holders.");
    }
    if (answer.code() == 409) {
      requireStaying(name, what);
    } else if (!answer.isDone()) {
      throw answer.failure(what);
    }
  }

  private void requireStaying(String name, String what) throws DoorException {
    Answer there = api.send("read holder " + name, Ask.get(path() + "/" + name));
    if (there.code() == 404) {
      throw new DoorException(
          DoorException.Kind.NOT_NOW, "could not " + what + ": its predecessor has just left");
    }
    if (!there.isDone()) {
      throw there.failure(what);
    }
    if (!Json.at(there.tree(), "metadata", "deletionTimestamp").isEmpty()) {
      throw new DoorException(
          DoorException.Kind.NOT_NOW, "could not " + what + ": its predecessor is leaving");
    }
  }

  @Override
  public void delete(PodKey holder, PodUid uid) throws DoorException {
    var body =
        Json.object(
            "apiVersion",
            "v1",
            "kind",
            "DeleteOptions",
            "preconditions",
            Json.object("uid", uid.value()));
    String what = "delete holder " + holder;
    String path = "/api/v1/namespaces/" + holder.namespace() + "/pods/" + holder.name();
    api.write(
        Write.DELETE_HOLDER,
        () -> {
          Answer answer = api.send(what, Ask.delete(path, Json.text(body)));
          if (!answer.isDone() && answer.code() != 404 && !answer.isAnotherIncarnation()) {
            throw answer.failure(what);
          }
        });
  }

  private String path() {
    return "/api/v1/namespaces/" + settings.namespace() + "/pods";
  }
}
