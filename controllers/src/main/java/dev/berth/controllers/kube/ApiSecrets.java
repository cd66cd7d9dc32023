package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.SecretClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
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
    return object(name).read().map(ApiSecrets::secret);
  }

  private static Secret secret(Map<String, Object> tree) {
    var data = new TreeMap<String, String>();
    for (var file : JsonBodies.fields(tree.get("data")).entrySet()) {
      data.put(file.getKey(), decoded(String.valueOf(file.getValue())));
    }
    return new Secret(data, JsonBodies.at(tree, "metadata", "resourceVersion"));
  }

  @Override
  public void write(String name, Secret secret) throws ClientException {
    var labels = JsonBodies.object("app.kubernetes.io/part-of", "berth");
    var data = new TreeMap<String, Object>();
    secret
        .data()
        .forEach((file, text) ->
            data.put(
                file, Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    var body = JsonBodies.object("apiVersion", "v1", "kind", "Secret", "data", data);
    if (secret.version().isEmpty()) { // later it cannot be changed
      body.put("type", "kubernetes.io/tls");
    }
    var _ = object(name).write(secret.version(), JsonBodies.object("labels", labels), body);
  }

  private NamedObject object(String name) throws ClientException {
    return new NamedObject(api, "secret", ApiPath.in("v1", namespace, "secrets"), namespace, name);
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notOurs) {
      return "";
    }
  }
}
