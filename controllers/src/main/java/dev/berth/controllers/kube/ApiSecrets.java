package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.SecretClient;
import dev.berth.controllers.kube.Api.Ask;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.TreeMap;

/// Secrets of a real cluster, each read and written by its name. Each call is tried once: the
/// caller repeats it.
public final class ApiSecrets implements SecretClient {
  private final Api api;
  private final String namespace;

  public ApiSecrets(Api api, String namespace) {
    this.api = api.bestEffort(1);
    this.namespace = namespace;
  }

  @Override
  public Optional<Secret> read(String name) throws ClientException {
    String what = "read secret " + namespace + "/" + name;
    Answer answer = api.send(what, Ask.get(path().named(name)));
    if (answer.code() == 404) {
      return Optional.empty();
    }
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    var data = new TreeMap<String, String>();
    for (var file : JsonBodies.fields(answer.tree().get("data")).entrySet()) {
      data.put(file.getKey(), decoded(String.valueOf(file.getValue())));
    }
    return Optional.of(
        new Secret(data, JsonBodies.at(answer.tree(), "metadata", "resourceVersion")));
  }

  @Override
  public void write(String name, Secret secret) throws ClientException {
    boolean isNew = secret.version().isEmpty();
    var metadata =
        JsonBodies.object(
            "name",
            name,
            "namespace",
            namespace,
            "labels",
            JsonBodies.object("app.kubernetes.io/part-of", "berth"));
    if (!isNew) {
      metadata.put("resourceVersion", secret.version());
    }
    var data = new TreeMap<String, Object>();
    secret
        .data()
        .forEach((file, text) ->
            data.put(
                file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    var body =
        JsonBodies.object("apiVersion", "v1", "kind", "Secret", "metadata", metadata, "data", data);
    if (isNew) { // later it cannot be changed
      body.put("type", "kubernetes.io/tls");
    }
    String what = "write secret " + namespace + "/" + name;
    Answer answer =
        api.send(
            what,
            isNew
                ? Ask.post(path(), JsonBodies.text(body))
                : Ask.patch(path().named(name), JsonBodies.text(body)));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
  }

  private ApiPath path() throws ClientException {
    return ApiPath.in("v1", namespace, "secrets");
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notOurs) {
      return "";
    }
  }
}
