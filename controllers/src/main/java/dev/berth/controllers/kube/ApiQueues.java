package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.QueueName;

/// Queue objects of a real cluster.
public final class ApiQueues implements QueueClient {
  private final Api api;

  public ApiQueues(Api api) {
    this.api = api;
  }

  @Override
  public void status(QueueName queue, QueueStatus before, QueueStatus after)
      throws ClientException {
    var body = JsonBodies.object("status", before.patch(after, JsonBodies.NULL));
    ApiPath path = ApiPath.all(Kind.QUEUE).named(queue.value()).subresource("status");
    String what = "write the status of Queue " + queue;
    api.write(Write.QUEUE_STATUS, () -> api.done(what, Ask.patch(path, JsonBodies.text(body))));
  }
}
