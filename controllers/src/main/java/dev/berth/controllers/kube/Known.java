package dev.berth.controllers.kube;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which objects of a kind were delivered and are not gone: all that it takes to say farewell to
/// them when a new list does not show them any more. One thread.
final class Known {
  private record Entry(String uid, int list) {}

  private final Map<String, Entry> entries = new HashMap<>();
  private int list;

  /// A full list begins.
  void listBegins() {
    list++;
  }

  /// Takes note of an object.
  ///
  /// @return the farewell of the incarnation that bore its name before, if it is another
  Optional<Map<String, Object>> note(Map<String, ?> object) {
    String uid = Json.at(object, "metadata", "uid");
    String key = key(object);
    Entry before = entries.put(key, new Entry(uid, list));
    if (before == null || before.uid().equals(uid)) {
      return Optional.empty();
    }
    // Just before the new one, so that its own appearance is later.
    return Optional.of(farewell(key, before.uid(), before(version(object))));
  }

  void forget(Map<String, ?> object) {
    entries.remove(key(object), entries.get(key(object)));
  }

  /// The farewells of those that this list did not show, and forgets them.
  ///
  /// @param version of the list: they were gone by then
  List<Map<String, Object>> vanished(String version) {
    var farewells = new ArrayList<Map<String, Object>>();
    var all = entries.entrySet().iterator();
    while (all.hasNext()) {
      var entry = all.next();
      if (entry.getValue().list() != list) {
        farewells.add(farewell(entry.getKey(), entry.getValue().uid(), version));
        all.remove();
      }
    }
    return farewells;
  }

  static String version(Map<String, ?> object) {
    return Json.at(object, "metadata", "resourceVersion");
  }

  private static String key(Map<String, ?> object) {
    return Json.at(object, "metadata", "namespace") + "/" + Json.at(object, "metadata", "name");
  }

  private static Map<String, Object> farewell(String key, String uid, String version) {
    int slash = key.indexOf('/');
    var metadata = Json.object("name", key.substring(slash + 1));
    if (slash > 0) {
      metadata.put("namespace", key.substring(0, slash));
    }
    metadata.put("uid", uid);
    metadata.put("resourceVersion", version);
    return Json.object("metadata", metadata);
  }

  private static String before(String version) {
    try {
      return String.valueOf(Long.parseLong(version) - 1);
    } catch (NumberFormatException notANumber) {
      return version;
    }
  }
}
