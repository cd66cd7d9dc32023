package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.PodKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Asks the autoscalers of a real cluster.
///
/// What is wanted together is a ProvisioningRequest where the cluster serves them, in the namespace
/// of its pods and owned by the first of them. All else is placeholders in Berth's own namespace:
/// pods that ask for the room and may be on the same nodes, that kube-scheduler finds
/// unschedulable, and that Berth passes to no node.
public final class ApiCapacity implements CapacityClient {
  private static final ApiPath ALL_REQUESTS =
      ApiPath.fixed("/apis/autoscaling.x-k8s.io/v1/provisioningrequests")
          .with("labelSelector", "app.kubernetes.io/managed-by=berth");

  private final Api api;
  private final HolderPodSettings settings;

  /// @param settings namespace and image of placeholders, as of holders
  public ApiCapacity(Api api, HolderPodSettings settings) {
    this.api = api;
    this.settings = settings;
  }

  @Override
  public void ask(Want want) throws ClientException {
    if (want.together() && isRequested(want)) {
      return;
    }
    for (int i = 0; i < want.units().size(); i++) {
      var unit = want.units().get(i);
      var body = PlaceholderPod.body(want.name(), i, unit, read(unit.like()), settings);
      post("create placeholder " + want.name() + "-" + i, pods(), JsonBodies.text(body));
    }
  }

  /// @return false where the cluster serves no such requests
  private boolean isRequested(Want want) throws ClientException {
    String namespace = want.units().getFirst().like().namespace();
    ApiPath path = requests(namespace);
    String what = "read ProvisioningRequest " + namespace + "/" + want.name();
    Answer there = api.send(what, Ask.get(path.named(want.name())));
    if (there.isDone()) {
      return true;
    }
    if (there.code() != 404 && there.code() != 403) {
      throw there.failure(what);
    }
    if (there.code() == 403 || JsonBodies.at(there.tree(), "details", "name").isEmpty()) {
      return false; // the kind is not there; of an object that is not there the name is told
    }
    var first = read(want.units().getFirst().like());
    var sets = new ArrayList<Map<String, Object>>();
    for (ProvisioningRequest.PodSet set : ProvisioningRequest.podSets(want)) {
      var template = ProvisioningRequest.template(set, read(set.unit().like()), first, settings);
      post(
          "create PodTemplate " + namespace + "/" + set.name(),
          templates(namespace),
          JsonBodies.text(template));
      sets.add(set.tree());
    }
    post(
        "create ProvisioningRequest " + namespace + "/" + want.name(),
        path,
        JsonBodies.text(ProvisioningRequest.body(want.name(), sets, first)));
    return true;
  }

  @Override
  public void withdraw(Want want) throws ClientException {
    for (int i = 0; i < want.units().size(); i++) {
      clear(new PodKey(settings.namespace(), PlaceholderPod.name(want.name(), i)));
    }
    if (want.together()) {
      String namespace = want.units().getFirst().like().namespace();
      delete(requests(namespace).named(want.name()));
      for (ProvisioningRequest.PodSet set : ProvisioningRequest.podSets(want)) {
        delete(templates(namespace).named(set.name()));
      }
    }
  }

  @Override
  public void clear(PodKey placeholder) throws ClientException {
    NodePods.requireOurs(settings.namespace(), placeholder, "delete placeholder " + placeholder);
    delete(pods().named(placeholder.name()));
  }

  @Override
  public List<Request> requests() throws ClientException {
    Answer answer = api.send("list ProvisioningRequests", Ask.get(ALL_REQUESTS));
    if (List.of(403, 404).contains(answer.code())) {
      return List.of(); // not served here
    }
    if (!answer.isDone()) {
      throw answer.failure("list ProvisioningRequests");
    }
    return ProvisioningRequest.in(answer.tree());
  }

  @Override
  public void clear(Request request) throws ClientException {
    delete(requests(request.namespace()).named(request.want()));
    for (String template : request.parts()) {
      delete(templates(request.namespace()).named(template));
    }
  }

  private Map<String, Object> read(PodKey pod) throws ClientException {
    ApiPath path = ApiPath.in("v1", pod.namespace(), "pods").named(pod.name());
    Answer answer = api.done("read pod " + pod, Ask.get(path));
    return answer.tree();
  }

  private void post(String what, ApiPath path, String body) throws ClientException {
    api.write(
        Write.ASK_CAPACITY,
        () -> {
          Answer answer = api.send(what, Ask.post(path, body));
          if (!answer.isDone() && answer.code() != 409) {
            throw answer.failure(what);
          }
        });
  }

  private void delete(ApiPath path) throws ClientException {
    String what = "delete " + path;
    String options = JsonBodies.deleteOptions("gracePeriodSeconds", 0);
    api.write(
        Write.ASK_CAPACITY,
        () -> {
          Answer answer = api.send(what, Ask.delete(path, options));
          if (!answer.isDone() && !List.of(403, 404).contains(answer.code())) {
            throw answer.failure(what);
          }
        });
  }

  private ApiPath pods() throws ClientException {
    return ApiPath.in("v1", settings.namespace(), "pods");
  }

  private static ApiPath requests(String namespace) throws ClientException {
    return ApiPath.in("autoscaling.x-k8s.io/v1", namespace, "provisioningrequests");
  }

  private static ApiPath templates(String namespace) throws ClientException {
    return ApiPath.in("v1", namespace, "podtemplates");
  }
}
