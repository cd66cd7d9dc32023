package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api.Ask;
import java.util.Map;
import java.util.Optional;

/// One object that is read and written by its name: created where it is not there yet, else patched
/// as it was read.
///
/// @param kind in the words of errors, such as `lease`
/// @param path of its kind in its namespace
record NamedObject(Api api, String kind, ApiPath path, String namespace, String name) {
  /// Empty where it is not there.
  Optional<Map<String, Object>> read() throws ClientException {
    String what = "read " + kind + " " + namespace + "/" + name;
    Answer answer = api.send(what, Ask.get(path.named(name)));
    if (answer.code() == 404) {
      return Optional.empty();
    }
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return Optional.of(answer.tree());
  }

  /// @param version that it had when it was read; empty = it is created
  /// @param body without name, namespace and version
  /// @return what the API server answers
  Map<String, Object> write(String version, Map<String, Object> metadata, Map<String, Object> body)
      throws ClientException {
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    if (!version.isEmpty()) {
      metadata.put("resourceVersion", version);
    }
    body.put("metadata", metadata);
    String text = JsonBodies.text(body);
    String what = "write " + kind + " " + namespace + "/" + name;
    Answer answer =
        api.send(
            what, version.isEmpty() ? Ask.post(path, text) : Ask.patch(path.named(name), text));
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return answer.tree();
  }
}
