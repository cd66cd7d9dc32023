package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;

/// Berth's own pods on GPU nodes as objects of the API: their names follow from what they are for,
/// so that a repeated creation collides.
///
/// @param namespace where they live
record NodePods(Api api, String namespace) {
  ApiPath path() throws ClientException {
    return ApiPath.in("v1", namespace, "pods");
  }

  /// After a creation that collided: the pod that is there is the one that was wanted.
  ///
  /// @param what such as `create holder a/b`, for the message
  /// @throws ClientException `NOT_NOW` where it leaves, or has just left
  void requireStaying(String name, String what) throws ClientException {
    Answer there = api.send("read " + name, Ask.get(path().named(name)));
    boolean isGone = there.code() == 404;
    boolean leaves = !JsonBodies.at(there.tree(), "metadata", "deletionTimestamp").isEmpty();
    if (isGone || leaves) {
      throw new ClientException(
          ClientException.Kind.NOT_NOW,
          "could not " + what + ": its predecessor " + (isGone ? "has just left" : "is leaving"));
    }
    if (!there.isDone()) {
      throw there.failure(what);
    }
  }

  /// Deletes that incarnation. Gone already is success. A pod of another namespace is none of
  /// Berth's, whatever its labels say.
  void delete(Write write, String what, PodKey pod, PodUid uid) throws ClientException {
    requireOurs(namespace, pod, what);
    ApiPath at = path().named(pod.name());
    api.write(write, () -> api.delete(what, at, uid.value()));
  }

  /// Labels are words that tenants can write, too.
  static void requireOurs(String namespace, PodKey pod, String what) throws ClientException {
    if (!pod.namespace().equals(namespace)) {
      throw new ClientException(
          ClientException.Kind.REFUSED,
          "could not " + what + ": it is not in namespace " + namespace + ", so it is not Berth's");
    }
  }
}
