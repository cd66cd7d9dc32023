package dev.berth.controllers.kube;

import dev.berth.controllers.client.ResourceVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Which objects of a kind were delivered and are not gone: all that it takes to say farewell to
/// them when a new list does not show them any more, and to see that a list is of an earlier state.
/// One thread.
final class ObjectIndex {
  /// UIDs of the objects that went last that are remembered: none of them may be shown again.
  private static final int BURIED = 10_000;

  private record Entry(String uid, String version, int list) {}

  private final Map<String, Entry> entries = new HashMap<>();
  private final LinkedHashSet<String> buried = new LinkedHashSet<>();
  private int list;

  /// A full list begins.
  void listBegins() {
    list++;
  }

  /// Takes note of an object.
  ///
  /// @return the farewell of the incarnation that bore its name before, if it is another
  Optional<Map<String, Object>> note(Map<String, ?> object) {
    String uid = JsonBodies.at(object, "metadata", "uid");
    String key = key(object);
    Entry before = entries.put(key, new Entry(uid, version(object), list));
    if (before == null || before.uid().equals(uid)) {
      return Optional.empty();
    }
    bury(before.uid());
    // Just before the new one, so that its own appearance is later.
    return Optional.of(farewell(key, before.uid(), before(version(object))));
  }

  void forget(Map<String, ?> object) {
    entries.remove(key(object), entries.get(key(object)));
    bury(JsonBodies.at(object, "metadata", "uid"));
  }

  private void bury(String uid) {
    if (!uid.isEmpty()) {
      buried.add(uid);
    }
    if (buried.size() > BURIED) {
      buried.removeFirst();
    }
  }

  /// Whether an object that a list shows is surely of an earlier state than what was delivered: of
  /// a lower version than that of its name had, or it had gone. Versions that etcd has given out
  /// again may have grown beyond those that were read, and those of single objects tell it all the
  /// same. Another incarnation comes after all versions of the one before it.
  boolean wasLater(Map<String, ?> object) {
    var entry = entries.get(key(object));
    String uid = JsonBodies.at(object, "metadata", "uid");
    return buried.contains(uid)
        || entry != null && ResourceVersion.isBefore(version(object), entry.version());
  }

  /// The farewells of those that this list did not show, and forgets them.
  ///
  /// @param version of the list: they were gone by then
  List<Map<String, Object>> vanished(String version) {
    return withoutOthers(version, true);
  }

  /// The farewells of all, and forgets them: they may not be read any more, and may be there still.
  List<Map<String, Object>> hidden(String version) {
    list++;
    return withoutOthers(version, false);
  }

  private List<Map<String, Object>> withoutOthers(String version, boolean areGone) {
    var farewells = new ArrayList<Map<String, Object>>();
    var all = entries.entrySet().iterator();
    while (all.hasNext()) {
      var entry = all.next();
      if (entry.getValue().list() != list) {
        farewells.add(farewell(entry.getKey(), entry.getValue().uid(), version));
        if (areGone) {
          bury(entry.getValue().uid());
        }
        all.remove();
      }
    }
    return farewells;
  }

  static String version(Map<String, ?> object) {
    return JsonBodies.at(object, "metadata", "resourceVersion");
  }

  private static String key(Map<String, ?> object) {
    return JsonBodies.at(object, "metadata", "namespace")
        + "/"
        + JsonBodies.at(object, "metadata", "name");
  }

  private static Map<String, Object> farewell(String key, String uid, String version) {
    int slash = key.indexOf('/');
    var metadata = JsonBodies.object("name", key.substring(slash + 1));
    if (slash > 0) {
      metadata.put("namespace", key.substring(0, slash));
    }
    metadata.put("uid", uid);
    metadata.put("resourceVersion", version);
    return JsonBodies.object("metadata", metadata);
  }

  private static String before(String version) {
    try {
      return String.valueOf(Long.parseLong(version) - 1);
    } catch (NumberFormatException notANumber) {
      return version;
    }
  }
}
