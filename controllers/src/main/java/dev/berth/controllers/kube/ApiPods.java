package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.request.WellKnownNames;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// Writes on the pods of a real cluster.
public final class ApiPods implements PodClient {
  private static final String PREEMPTOR = "berth.dev/preemptor";

  /// Reason of the condition on pods that are deleted without the Eviction API.
  private static final String DISRUPTED = "DeletionByBerth";

  /// In bytes, as of an event: tenants name queues.
  private static final int LONGEST = 1024;

  private final Api api;
  private final InstantSource time;

  public ApiPods(Api api) {
    this(api, InstantSource.system());
  }

  /// @param time stands in conditions
  public ApiPods(Api api, InstantSource time) {
    this.api = api;
    this.time = time;
  }

  /// A strategic merge patch, which takes Berth's gate out of the list whatever else is in it, and
  /// for which the API server need not make JSON of the pod and read it again.
  @Override
  public void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException {
    var gate = JsonBodies.object("$patch", "delete", "name", Pod.Lifecycle.GATE);
    var metadata =
        JsonBodies.object(
            "uid",
            uid.value(),
            "annotations",
            JsonBodies.object(WellKnownNames.PLAN, plan, PREEMPTOR, JsonBodies.NULL));
    if (version > 0) {
      metadata.put("resourceVersion", Long.toString(version));
    }
    var body =
        JsonBodies.object(
            "metadata", metadata, "spec", JsonBodies.object("schedulingGates", List.of(gate)));
    String what = "lift the gate of pod " + pod;
    api.write(
        Write.LIFT,
        () -> require(api.send(what, Ask.strategicPatch(path(pod), JsonBodies.text(body))), what));
  }

  @Override
  public long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    var body =
        JsonBodies.object(
            "metadata",
            JsonBodies.object("uid", uid.value()),
            "status",
            JsonBodies.object("nominatedNodeName", node.isNone() ? JsonBodies.NULL : node.value()));
    String what =
        (node.isNone() ? "take the nomination off" : "nominate a node for") + " pod " + pod;
    long[] version = {0};
    api.write(
        Write.NOMINATE,
        () -> {
          Answer answer =
              api.send(what, Ask.patch(path(pod).subresource("status"), JsonBodies.text(body)));
          require(answer, what);
          version[0] = version(answer.tree());
        });
    return version[0];
  }

  @Override
  public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
    var note = JsonBodies.object(PREEMPTOR, isPreemptor ? uid.value() : JsonBodies.NULL);
    var body =
        JsonBodies.object("metadata", JsonBodies.object("uid", uid.value(), "annotations", note));
    String what = (isPreemptor ? "mark" : "unmark") + " pod " + pod + " as preemptor";
    api.write(
        Write.MARK_PREEMPTOR,
        () -> require(api.send(what, Ask.patch(path(pod), JsonBodies.text(body))), what));
  }

  /// A strategic merge patch, which leaves the other conditions.
  @Override
  public void warns(PodKey pod, PodUid uid, PodWarning warning) throws ClientException {
    var condition =
        JsonBodies.object(
            "type",
            warning.type(),
            "status",
            warning.isTrue() ? "True" : "False",
            "reason",
            warning.reason(),
            "message",
            TextLimits.message(warning.message(), LONGEST),
            "lastTransitionTime",
            warning.since().truncatedTo(ChronoUnit.SECONDS).toString());
    var body =
        JsonBodies.object(
            "metadata",
            JsonBodies.object("uid", uid.value()),
            "status",
            JsonBodies.object("conditions", List.of(condition)));
    String what = "write condition " + warning.type() + " of pod " + pod;
    api.write(
        Write.POD_CONDITION,
        () ->
            require(
                api.send(
                    what,
                    Ask.strategicPatch(path(pod).subresource("status"), JsonBodies.text(body))),
                what));
  }

  /// Kubernetes promises that versions are growing decimal numbers.
  private static long version(Map<String, Object> tree) {
    String version = JsonBodies.at(tree, "metadata", "resourceVersion");
    try {
      return version.isEmpty() ? 0 : Long.parseLong(version);
    } catch (NumberFormatException unusable) {
      return 0;
    }
  }

  @Override
  public void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      throws ClientException {
    var metadata =
        JsonBodies.object("name", pod.name(), "namespace", pod.namespace(), "uid", uid.value());
    if (!annotations.isEmpty()) {
      metadata.put("annotations", annotations);
    }
    var body =
        JsonBodies.object(
            "apiVersion",
            "v1",
            "kind",
            "Binding",
            "metadata",
            metadata,
            "target",
            JsonBodies.object("apiVersion", "v1", "kind", "Node", "name", node.value()));
    String what = "bind pod " + pod + " to " + node;
    api.write(
        Write.BIND,
        () ->
            bind(
                pod,
                uid,
                node,
                Ask.post(path(pod).subresource("binding"), JsonBodies.text(body)),
                what));
  }

  private void bind(PodKey pod, PodUid uid, NodeName node, Ask binding, String what)
      throws ClientException {
    Answer answer;
    try {
      answer = api.send(what, binding);
    } catch (ClientException unknown) {
      if (unknown.kind() == ClientException.Kind.UNREACHABLE && wasBound(pod, uid, node, what)) {
        return;
      }
      throw unknown;
    }
    if (answer.isDone()) {
      return;
    }
    boolean mayHaveHappened = answer.code() == 409 || answer.code() >= 500 || answer.inDoubt();
    if (!mayHaveHappened || !wasBound(pod, uid, node, what)) {
      throw answer.failure(what);
    }
  }

  /// Of a Binding that may have been written.
  private boolean wasBound(PodKey pod, PodUid uid, NodeName node, String what)
      throws ClientException {
    try {
      return isOn(pod, uid, node, what);
    } catch (ClientException read) {
      throw stillInDoubt(read);
    }
  }

  /// A write that may have happened, and whose object cannot be read, stays in doubt: an API server
  /// that has just started refuses reads for want of rights (403) for a moment.
  private static ClientException stillInDoubt(ClientException read) {
    return switch (read.kind()) {
      case GONE, CONFLICT, UNREACHABLE -> read;
      case REFUSED, NOT_NOW ->
          new ClientException(
              ClientException.Kind.UNREACHABLE, String.valueOf(read.getMessage()), read);
    };
  }

  @Override
  public boolean isOn(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    return isOn(pod, uid, node, "find pod " + pod + " on " + node);
  }

  /// Reads the pod again, past every cache: whether this incarnation is on that node.
  ///
  /// @throws ClientException `GONE` or `CONFLICT` where it can never come to be
  private boolean isOn(PodKey pod, PodUid uid, NodeName node, String what) throws ClientException {
    var read = read(pod, uid, what);
    String bound = JsonBodies.at(read, "spec", "nodeName");
    if (!bound.isEmpty() && !bound.equals(node.value())) {
      throw new ClientException(
          ClientException.Kind.CONFLICT, "could not " + what + ": it is on " + bound);
    }
    if (bound.isEmpty() && !JsonBodies.at(read, "metadata", "deletionTimestamp").isEmpty()) {
      throw new ClientException(ClientException.Kind.GONE, "could not " + what + ": it is leaving");
    }
    return !bound.isEmpty();
  }

  @Override
  public long version(PodKey pod, PodUid uid) throws ClientException {
    return version(read(pod, uid, "find the version of pod " + pod));
  }

  private boolean isLeaving(PodKey pod, PodUid uid, String what) throws ClientException {
    return !JsonBodies.at(read(pod, uid, what), "metadata", "deletionTimestamp").isEmpty();
  }

  /// This incarnation as it is now.
  private Map<String, Object> read(PodKey pod, PodUid uid, String what) throws ClientException {
    Answer read = api.send("read pod " + pod + " again", Ask.get(path(pod)));
    require(read, what);
    if (!JsonBodies.at(read.tree(), "metadata", "uid").equals(uid.value())) {
      throw new ClientException(
          ClientException.Kind.GONE, "could not " + what + ": the name is another pod's by now");
    }
    return read.tree();
  }

  @Override
  public void evict(PodKey pod, PodUid uid) throws ClientException {
    var body =
        JsonBodies.object(
            "apiVersion",
            "policy/v1",
            "kind",
            "Eviction",
            "metadata",
            JsonBodies.object("name", pod.name(), "namespace", pod.namespace()),
            "deleteOptions",
            JsonBodies.object("preconditions", JsonBodies.object("uid", uid.value())));
    String what = "evict pod " + pod;
    Ask eviction = Ask.post(path(pod).subresource("eviction"), JsonBodies.text(body));
    api.write(Write.EVICT, () -> evict(pod, uid, eviction, what));
  }

  private void evict(PodKey pod, PodUid uid, Ask eviction, String what) throws ClientException {
    boolean doubt = false;
    try {
      Answer answer = api.send(what, eviction);
      doubt = answer.inDoubt();
      require(answer, what);
    } catch (ClientException unknown) {
      // kube-apiserver thinks for ten seconds before it refuses an unbound pod for its UID (1.36).
      doubt |= unknown.kind() == ClientException.Kind.UNREACHABLE;
      if (!doubt || !isLeavingOrGone(pod, uid, what)) {
        throw unknown;
      }
    }
  }

  /// A try that got no answer may have been the one that it leaves for: then its event is still to
  /// be told.
  private boolean isLeavingOrGone(PodKey pod, PodUid uid, String what) throws ClientException {
    try {
      return isLeaving(pod, uid, what);
    } catch (ClientException read) {
      if (read.kind() == ClientException.Kind.GONE) {
        return true;
      }
      throw stillInDoubt(read);
    }
  }

  @Override
  public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
    var body =
        JsonBodies.deleteOptions(
            "gracePeriodSeconds",
            // 0 would remove the object before its containers have ended
            Math.max(1, grace.toSeconds()),
            "preconditions",
            JsonBodies.object("uid", uid.value()));
    String what = "stop pod " + pod;
    api.write(
        Write.STOP,
        () -> {
          announce(pod, uid);
          require(api.send(what, Ask.delete(path(pod), body)), what);
        });
  }

  /// Writes the condition `DisruptionTarget`, as the Eviction API does and a deletion does not: the
  /// Job controller reads it and, with a `podFailurePolicy`, does not count this pod as failed.
  private void announce(PodKey pod, PodUid uid) throws ClientException {
    var condition =
        JsonBodies.object(
            "type",
            "DisruptionTarget",
            "status",
            "True",
            "reason",
            DISRUPTED,
            "message",
            "Berth deletes the pod",
            "lastTransitionTime",
            time.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    var body =
        JsonBodies.object(
            "metadata",
            JsonBodies.object("uid", uid.value()),
            "status",
            JsonBodies.object("conditions", List.of(condition)));
    String what = "mark pod " + pod + " as disrupted";
    Answer answer =
        api.send(what, Ask.strategicPatch(path(pod).subresource("status"), JsonBodies.text(body)));
    if (!answer.isDone()) {
      ClientException failed = answer.failure(what);
      if (failed.kind() != ClientException.Kind.REFUSED) { // else the deletion matters more
        throw failed;
      }
    }
  }

  private static void require(Answer answer, String what) throws ClientException {
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
  }

  private static ApiPath path(PodKey pod) throws ClientException {
    return ApiPath.in("v1", pod.namespace(), "pods").named(pod.name());
  }
}
