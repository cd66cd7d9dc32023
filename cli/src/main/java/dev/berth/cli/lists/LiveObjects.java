package dev.berth.cli.lists;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.kube.ApiReads;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The objects of a cluster that runs, as they are now.
///
/// @param now by the clock of the API server, to the second
/// @param objects plain trees without `null`, each with its `apiVersion` and `kind`
/// @param configuration of the Berth there: the text in the ConfigMap `berth` of `berth-system`;
///   empty = it is not there, or may not be read
/// @param leftOut what could not be read, each a sentence
public record LiveObjects(
    Instant now, List<Map<String, Object>> objects, String configuration, List<String> leftOut) {
  private static final String CONFIG_MAP = "/api/v1/namespaces/berth-system/configmaps/berth";
  private static final int NOT_FOUND = 404;

  public LiveObjects {
    objects = List.copyOf(objects);
    leftOut = List.copyOf(leftOut);
  }

  /// One list after the other, page by page, then owners of pods, each by itself.
  ///
  /// @param besides kinds that are read besides those of [ObjectKind#ALWAYS]
  /// @throws ClientException where the API server does not answer, or does not let nodes, pods,
  ///   queues and PodGroups be listed
  public static LiveObjects read(
      ApiReads reads, OwnerClient owners, InstantSource time, List<ObjectKind> besides)
      throws ClientException {
    var kinds = new ArrayList<>(ObjectKind.ALWAYS);
    kinds.addAll(besides);
    var objects = new ArrayList<Map<String, Object>>();
    var leftOut = new ArrayList<String>();
    Instant now = time.instant();
    for (ObjectKind kind : kinds) {
      var reply = reads.list(kind.path(), object -> objects.add(whole(kind, object)));
      now = reply.date().orElse(now);
      if (reply.isDone() || reply.code() == NOT_FOUND && !kind.isNeeded()) {
        continue;
      }
      String why = why(kind, reply);
      if (kind.isNeeded()) {
        throw new ClientException(ClientException.Kind.REFUSED, why);
      }
      leftOut.add(why + ": left out");
    }
    var ofPods = OwnerObjects.of(objects, owners);
    objects.addAll(ofPods.objects());
    leftOut.addAll(ofPods.leftOut());
    return new LiveObjects(now, objects, configuration(reads, leftOut), leftOut);
  }

  /// The same lists from the memory of the API server, without owners and configuration. Berth need
  /// not be there.
  ///
  /// @return with the time at which pods were listed
  /// @throws ClientException where the API server does not answer, or does not let nodes and pods
  ///   be listed
  public static LiveObjects readRecent(ApiReads reads, InstantSource time) throws ClientException {
    var objects = new ArrayList<Map<String, Object>>();
    var leftOut = new ArrayList<String>();
    Instant now = time.instant();
    for (ObjectKind kind : ObjectKind.values()) {
      var reply = reads.listRecent(kind.path(), object -> objects.add(whole(kind, object)));
      now = kind == ObjectKind.POD ? reply.date().orElse(now) : now;
      if (!reply.isDone() && (kind.isOfAnyCluster() || reply.code() != NOT_FOUND)) {
        String why = ListRefusal.sentence(kind.resource(), reply);
        if (kind.isOfAnyCluster()) {
          throw new ClientException(ClientException.Kind.REFUSED, why);
        }
        leftOut.add(why + ": left out");
      }
    }
    return new LiveObjects(now, objects, "", leftOut);
  }

  /// These objects, some of them changed, and the owners of their pods.
  ///
  /// @param others in the place of the objects
  public LiveObjects withOwners(List<Map<String, Object>> others, OwnerClient owners)
      throws ClientException {
    var ofPods = OwnerObjects.of(others, owners);
    var all = new ArrayList<>(others);
    all.addAll(ofPods.objects());
    var left = new ArrayList<>(leftOut);
    left.addAll(ofPods.leftOut());
    return new LiveObjects(now, all, configuration, left);
  }

  /// An object of a list, which does not say of which kind it is.
  public static Map<String, Object> ofList(String apiVersion, String kind, Map<?, ?> object) {
    return whole(apiVersion, kind, object);
  }

  private static String why(ObjectKind kind, ApiReads.Reply reply) {
    return reply.code() == NOT_FOUND
        ? "the cluster knows no " + kind.resource() + ": is Berth installed there?"
        : ListRefusal.sentence(kind.resource(), reply);
  }

  private static String configuration(ApiReads reads, List<String> leftOut) throws ClientException {
    var reply = reads.get(CONFIG_MAP);
    if (reply.isDone()
        && reply.tree().get("data") instanceof Map<?, ?> data
        && data.get("berth.yaml") instanceof String text) {
      return text;
    }
    leftOut.add(
        "Berth's configuration, ConfigMap berth in berth-system, could not be read ("
            + reply.code()
            + "): the defaults are taken; --config FILE gives another");
    return "";
  }

  private static Map<String, Object> whole(ObjectKind kind, Map<?, ?> object) {
    return whole(kind.apiVersion(), kind.kind(), object);
  }

  /// Items of a list do not say of which kind they are.
  static Map<String, Object> whole(String apiVersion, String kind, Map<?, ?> object) {
    var whole = new LinkedHashMap<String, Object>();
    whole.put("apiVersion", apiVersion);
    whole.put("kind", kind);
    whole.putAll(plain(object));
    return whole;
  }

  /// Without `null`, and whole numbers as they are in files.
  private static Map<String, Object> plain(Map<?, ?> map) {
    var copy = new LinkedHashMap<String, Object>();
    map.forEach((key, value) -> {
      if (value != null) {
        copy.put(String.valueOf(key), plain(value));
      }
    });
    return copy;
  }

  private static Object plain(Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> plain(map);
      case List<?> list ->
          new ArrayList<Object>(
              list.stream().filter(item -> item != null).map(LiveObjects::plain).toList());
      case Integer number -> (long) number;
      default -> tree;
    };
  }
}
