package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.kube.Api.Ask;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Owners of pods on a real cluster, each read by a GET of its own; which kinds there are is found
/// out by discovery. What was read is remembered for a while, metadata longer than whole objects; a
/// caller that needs a newer one asks for it. Any thread.
///
/// Group, version, kind and name come from tenants, which may write anything there. What is no name
/// is not asked for, an answer that is too large counts as one that may not be read, and what is
/// remembered is bounded by what it takes in memory.
public final class ApiOwners implements OwnerClient {
  private static final int MOST = 20_000;
  private static final long MOST_BYTES = 64L << 20;
  private static final int MOST_BYTES_OF_ONE = 4 << 20;
  private static final int MOST_VERSIONS = 500;

  /// What an entry takes beside its object.
  private static final int ENTRY_BYTES = 1024;

  private static final Duration FRESH = Duration.ofMinutes(10);
  private static final Duration FRESH_BARRED = Duration.ofMinutes(1);
  private static final Duration FRESH_KINDS = Duration.ofMinutes(5);

  /// For a search for a kind that is not there.
  private static final Duration FRESH_WITHOUT = Duration.ofSeconds(10);

  /// For a discovery that failed.
  private static final Duration FRESH_FAILURE = Duration.ofSeconds(5);

  private static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  /// What Berth surely may read: without it Berth was not ready.
  private static final Ask KNOWN_RIGHT = Ask.get(ApiPath.all(Kind.NAMESPACE).with("limit", "1"));

  private record Remembered(Found found, int bytes, Instant until) {}

  /// @param bytes that the object takes in memory
  private record Reply(Found found, int bytes) {}

  /// @param version group and version, as in `apiVersion`
  private record Resource(String version, String plural, boolean namespaced) {}

  /// @param kinds by name
  private record Kinds(Map<String, Resource> kinds, Instant since, Instant until) {}

  private record Failure(ClientException why, Instant until) {}

  private final Api api;
  private final InstantSource time;

  // Guarded by this.
  private final LinkedHashMap<Wanted, Remembered> memory = new LinkedHashMap<>(16, 0.75f, true);
  private long remembered; // bytes
  private final TreeMap<String, Kinds> discovered = new TreeMap<>();
  private final TreeMap<String, Failure> failures = new TreeMap<>();

  public ApiOwners(Api api, InstantSource time) {
    this.api = api;
    this.time = time;
  }

  @Override
  public synchronized Found recall(Wanted wanted) {
    var known = memory.get(wanted);
    return known != null && known.until().isAfter(time.instant()) ? known.found() : new Unread();
  }

  @Override
  public Found read(Wanted wanted) throws ClientException {
    Reply reply = ask(wanted);
    Found found = reply.found();
    synchronized (this) {
      forget(wanted);
      if (!(found instanceof Missing)) {
        Duration fresh = found instanceof Present ? FRESH : FRESH_BARRED;
        int bytes = reply.bytes() + ENTRY_BYTES;
        memory.put(wanted, new Remembered(found, bytes, time.instant().plus(fresh)));
        remembered += bytes;
      }
      while (memory.size() > MOST || remembered > MOST_BYTES) {
        forget(memory.sequencedKeySet().getFirst());
      }
    }
    return found;
  }

  private void forget(Wanted wanted) {
    var known = memory.remove(wanted);
    remembered -= known == null ? 0 : known.bytes();
  }

  private Reply ask(Wanted wanted) throws ClientException {
    if (!ApiPath.isName(wanted.name())) {
      return new Reply(new Missing(), 0); // no object is called that
    }
    var resource = resource(wanted.apiVersion(), wanted.kind());
    if (resource.isEmpty()) {
      return new Reply(new Barred(), 0);
    }
    String version = resource.get().version();
    ApiPath root = ApiPath.root(version);
    ApiPath path =
        (resource.get().namespaced() ? root.in(wanted.namespace()) : root)
            .resource(resource.get().plural())
            .named(wanted.name());
    String what = "read " + wanted.kind() + " " + wanted.namespace() + "/" + wanted.name();
    var accept = wanted.whole() ? "application/json" : METADATA;
    Answer answer = send(what, Ask.get(path, accept, MOST_BYTES_OF_ONE));
    if (answer.code() == 403 || answer.code() == Answer.TOO_LARGE) {
      return new Reply(new Barred(), 0);
    }
    if (answer.code() == 404) {
      return new Reply(new Missing(), 0);
    }
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    boolean another =
        !wanted.uid().isEmpty()
            && !JsonBodies.at(answer.tree(), "metadata", "uid").equals(wanted.uid());
    if (another) {
      return new Reply(new Missing(), 0);
    }
    var slim = SlimObject.of(answer.tree());
    return new Reply(new Present(version, slim.tree()), slim.bytes());
  }

  /// A kube-apiserver that has just started has not read the roles yet, and forbids everything. A
  /// gang whose owner were barred for that would start in parts: so no is no only where it also
  /// lets Berth read what Berth surely may.
  private Answer send(String what, Ask ask) throws ClientException {
    Answer answer = api.send(what, ask);
    if (answer.code() != 403) {
      return answer;
    }
    if (api.send(what, KNOWN_RIGHT).code() == 403) {
      throw new ClientException(
          ClientException.Kind.NOT_NOW,
          "could not " + what + ": no right of ours is known there now");
    }
    return api.send(what, ask); // they may have come to be known in between
  }

  /// Empty where the kind is not served. One that was not there when Berth looked may have come
  /// since, with its operator: to hold it for no kind would start its gangs in parts.
  private Optional<Resource> resource(String apiVersion, String kind) throws ClientException {
    var known = known(apiVersion, kind);
    return known.isPresent() || !forgets(apiVersion) ? known : known(apiVersion, kind);
  }

  /// @return whether there was something, and not of just now
  private synchronized boolean forgets(String apiVersion) {
    Instant justNow = time.instant().minus(FRESH_WITHOUT);
    return discovered
        .tailMap(apiVersion, true)
        .entrySet()
        .removeIf(
            each -> isOf(apiVersion, each.getKey()) && each.getValue().since().isBefore(justNow));
  }

  private static boolean isOf(String wanted, String version) {
    return version.equals(wanted) || wanted.endsWith("/") && version.startsWith(wanted);
  }

  private Optional<Resource> known(String apiVersion, String kind) throws ClientException {
    for (String version : versions(apiVersion)) {
      var resource = kinds(version).get(kind);
      if (resource != null) {
        return Optional.of(resource);
      }
    }
    return Optional.empty();
  }

  private List<String> versions(String apiVersion) throws ClientException {
    if (!apiVersion.endsWith("/")) {
      return List.of(apiVersion);
    }
    String group = apiVersion.substring(0, apiVersion.length() - 1);
    if (!ApiPath.isName(group)) {
      return List.of();
    }
    return List.copyOf(
        discover(
                apiVersion,
                ApiPath.group(group),
                tree -> {
                  var versions = new LinkedHashMap<String, Resource>();
                  for (Map<String, Object> each : objects(tree, "versions")) {
                    String version = JsonBodies.at(each, "groupVersion");
                    versions.put(version, new Resource(version, "", false));
                  }
                  return versions;
                })
            .keySet());
  }

  private Map<String, Resource> kinds(String version) throws ClientException {
    if (!isVersion(version)) {
      return Map.of();
    }
    return discover(
        version,
        ApiPath.root(version),
        tree -> {
          var kinds = new LinkedHashMap<String, Resource>();
          for (Map<String, Object> each : objects(tree, "resources")) {
            String plural = JsonBodies.at(each, "name");
            if (plural.indexOf('/') < 0) { // no subresource
              boolean namespaced = JsonBodies.at(each, "namespaced").equals("true");
              kinds.put(JsonBodies.at(each, "kind"), new Resource(version, plural, namespaced));
            }
          }
          return kinds;
        });
  }

  private interface Reading {
    Map<String, Resource> of(Map<String, Object> tree);
  }

  private Map<String, Resource> discover(String key, ApiPath path, Reading reading)
      throws ClientException {
    synchronized (this) {
      var known = discovered.get(key);
      if (known != null && known.until().isAfter(time.instant())) {
        return known.kinds();
      }
    }
    Answer answer = answer(key, path);
    boolean served = answer.isDone();
    var kinds = served ? reading.of(answer.tree()) : Map.<String, Resource>of();
    synchronized (this) {
      Instant now = time.instant();
      if (discovered.size() >= MOST_VERSIONS) {
        discovered.values().removeIf(each -> each.kinds().isEmpty()); // tenants name what they like
      }
      discovered.put(key, new Kinds(kinds, now, now.plus(served ? FRESH_KINDS : FRESH_BARRED)));
    }
    return kinds;
  }

  /// A failure is remembered for a short time: an aggregated API that is down would be asked once
  /// for each pod whose owner a tenant says to be there.
  private Answer answer(String key, ApiPath path) throws ClientException {
    synchronized (this) {
      var failure = failures.get(key);
      if (failure != null && failure.until().isAfter(time.instant())) {
        throw failure.why();
      }
    }
    String what = "discover " + path;
    try {
      Answer answer = send(what, Ask.get(path));
      if (answer.isDone() || answer.code() == 404 || answer.code() == 403) {
        return answer;
      }
      throw answer.failure(what);
    } catch (ClientException failed) {
      synchronized (this) {
        if (failures.size() >= MOST_VERSIONS) {
          failures.clear();
        }
        failures.put(key, new Failure(failed, time.instant().plus(FRESH_FAILURE)));
      }
      throw failed;
    }
  }

  private static List<Map<String, Object>> objects(Map<String, Object> tree, String field) {
    var objects = new ArrayList<Map<String, Object>>();
    if (tree.get(field) instanceof List<?> elements) {
      for (Object each : elements) {
        if (each instanceof Map<?, ?> map) {
          var object = new LinkedHashMap<String, Object>();
          map.forEach((name, value) -> object.put(String.valueOf(name), value));
          objects.add(object);
        }
      }
    }
    return objects;
  }

  private static boolean isVersion(String text) {
    int slash = text.indexOf('/');
    return ApiPath.isName(text.substring(slash + 1))
        && (slash < 0 || ApiPath.isName(text.substring(0, slash)));
  }
}
