package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// As much of an API server as Berth speaks to, over HTTP/1.1: lists in pages, watches with
/// bookmarks, a history that can be forgotten (410) or restored to an earlier day (504), bindings,
/// evictions, merge patches, creations with UID preconditions; and everything that goes wrong, on
/// demand. One long file, for it is one server.
final class FakeApiServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  record Request(
      String method, String path, String query, String body, Map<String, String> headers) {
    boolean isWatch() {
      return query.contains("watch=true");
    }

    String parameter(String name) {
      for (String pair : query.split("&", -1)) {
        if (pair.startsWith(name + "=")) {
          return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
        }
      }
      return "";
    }
  }

  /// What goes wrong once, with the first request that matches.
  enum Fault {
    /// It is done, and the connection is cut before the answer.
    CUT_AFTER,
    /// 500.
    BROKEN,
    /// 403, as an API server that has just started.
    FORBIDDEN,
    /// 429 without a cause: too many requests.
    OVERLOAD
  }

  private record Awaited(String method, String end, Fault fault) {}

  private record Watch(String path, LinkedBlockingQueue<String> lines) {}

  private record Event(long version, String path, String line) {}

  private final HttpServer server;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Watch> watches = new CopyOnWriteArrayList<>();

  // Guarded by this.
  private final TreeMap<String, Map<String, Object>> objects = new TreeMap<>();
  private final List<Event> history = new ArrayList<>();
  private final ArrayDeque<Awaited> faults = new ArrayDeque<>();
  private final ArrayDeque<Integer> secondPages = new ArrayDeque<>();
  private final TreeMap<String, Integer> always = new TreeMap<>();
  private final TreeMap<String, Map<String, Object>> fixed = new TreeMap<>();
  private final TreeSet<String> dripping = new TreeSet<>();
  private Optional<Runnable> beforeSecondPage = Optional.empty();
  private String poison = "";
  private long poisonedFrom;
  private long version = 100;
  private long forgotten;
  private boolean endsAtOnce;
  private boolean budgetSaysNo;
  private boolean tooLargeToKeep;
  private boolean severalBudgets;
  private boolean anyUid;

  private volatile Duration delay = Duration.ZERO;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger mostInFlight = new AtomicInteger();

  FakeApiServer() throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle);
    server.start();
  }

  KubeCluster cluster(Path folder) {
    return cluster(folder, Duration.ofSeconds(30));
  }

  /// By way of a kubeconfig, as a user would.
  KubeCluster cluster(Path folder, Duration silenceTimeout) {
    try {
      Path file = folder.resolve("kubeconfig");
      Files.writeString(
          file,
          """
          apiVersion: v1
          kind: Config
          current-context: fake
          contexts: [{name: fake, context: {cluster: fake, user: me}}]
          clusters: [{name: fake, cluster: {server: "http://127.0.0.1:%d"}}]
          users: [{name: me, user: {token: secret}}]
          """
              .formatted(server.getAddress().getPort()));
      return KubeCluster.open(
          new ClusterSettings(file.toString(), "", Duration.ofSeconds(2), silenceTimeout));
    } catch (IOException | ClientException failed) {
      throw new IllegalStateException(failed);
    }
  }

  // What a test does to it.

  /// @return the object's version
  synchronized long put(Kind kind, String namespace, String name, String uid, Object... more) {
    var metadata = JsonBodies.object("name", name, "namespace", namespace, "uid", uid);
    var object = JsonBodies.object("metadata", metadata);
    for (int i = 0; i < more.length; i += 2) {
      object.put((String) more[i], more[i + 1]);
    }
    return store(kind.path(), key(kind.path(), namespace, name), object);
  }

  synchronized long version(Kind kind, String namespace, String name) {
    var object = objects.get(key(kind.path(), namespace, name));
    return Long.parseLong(JsonBodies.at(object, "metadata", "resourceVersion"));
  }

  synchronized void remove(Kind kind, String namespace, String name) {
    var object = objects.remove(key(kind.path(), namespace, name));
    if (object != null) {
      stamp(object);
      publish(kind.path(), "DELETED", object);
    }
  }

  /// Changes what is there and tells no watch.
  synchronized void removeUnseen(Kind kind, String namespace, String name) {
    version++;
    objects.remove(key(kind.path(), namespace, name));
  }

  synchronized Map<String, Object> object(Kind kind, String namespace, String name) {
    return objects.getOrDefault(key(kind.path(), namespace, name), JsonBodies.object());
  }

  synchronized Map<String, Object> objectAt(String collection, String namespace, String name) {
    return objects.getOrDefault(key(collection, namespace, name), JsonBodies.object());
  }

  synchronized void mark(
      String collection, String namespace, String name, String field, String value) {
    metadata(objectAt(collection, namespace, name)).put(field, value);
  }

  /// From now on every request takes that long, and we count how many do so at once.
  void countInFlight(Duration each) {
    delay = each;
  }

  int mostInFlight() {
    return mostInFlight.get();
  }

  synchronized void acceptAnyUid() {
    anyUid = true;
  }

  synchronized long version() {
    return version;
  }

  /// The history before now is forgotten: watches from there get 410.
  synchronized void forget() {
    forgotten = ++version;
    history.clear();
  }

  /// Back to an earlier day: versions that clients know lie ahead.
  synchronized void restore(long earlier) {
    version = earlier;
    history.clear();
  }

  void bookmark() {
    long now;
    synchronized (this) {
      now = ++version;
    }
    sayToWatches(
        text(
            JsonBodies.object(
                "type",
                "BOOKMARK",
                "object",
                JsonBodies.object(
                    "metadata", JsonBodies.object("resourceVersion", String.valueOf(now))))));
  }

  void sayToWatches(String line) {
    watches.forEach(watch -> watch.lines().add(line));
  }

  void endWatches() {
    sayToWatches("END");
  }

  void cutWatches() {
    sayToWatches("CUT");
  }

  /// Cuts the watches and changes things before a client can reconnect.
  synchronized void cutWatchesAfter(Runnable change) {
    var open = List.copyOf(watches);
    watches.clear();
    open.forEach(watch -> watch.lines().add("CUT"));
    change.run();
  }

  synchronized void endEveryWatchAtOnce() {
    endsAtOnce = true;
  }

  synchronized void once(String method, String end, Fault fault) {
    faults.add(new Awaited(method, end, fault));
  }

  /// The next list that goes on with a second page is answered so.
  synchronized void secondPage(int code) {
    secondPages.add(code);
  }

  /// Before the next second page, which is of that later version, as it is where the first one's is
  /// compacted meanwhile.
  synchronized void beforeSecondPage(Runnable change) {
    beforeSecondPage = Optional.of(change);
  }

  /// Every watch from the current version gets this line first, again and again.
  synchronized void poison(String line) {
    poison = line;
    poisonedFrom = version;
  }

  synchronized void never(String path) {
    always.remove(path);
  }

  /// Each request for that path gets that object.
  synchronized void answers(String path, Map<String, Object> object) {
    fixed.put(path, object);
  }

  /// Each request for that path gets a byte now and then, and no end.
  synchronized void drips(String path) {
    dripping.add(path);
  }

  private synchronized boolean isDripping(String path) {
    return dripping.contains(path);
  }

  private static void drip(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream body = exchange.getResponseBody()) {
      while (true) {
        body.write(' ');
        body.flush();
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      }
    } catch (IOException left) {
      exchange.close();
    }
  }

  synchronized void always(String path, int code) {
    always.put(path, code);
  }

  synchronized void budgetSaysNo() {
    budgetSaysNo = true;
  }

  /// Every pod has grown to what etcd takes.
  synchronized void tooLargeToKeep() {
    tooLargeToKeep = true;
  }

  /// Every pod is covered by two disruption budgets.
  synchronized void severalBudgets() {
    severalBudgets = true;
  }

  List<Request> requests() {
    return requests;
  }

  long count(String method, String end) {
    return requests.stream()
        .filter(request -> request.method().equals(method) && request.path().endsWith(end))
        .count();
  }

  int openWatches() {
    return watches.size();
  }

  @Override
  public void close() {
    cutWatches();
    server.stop(0);
  }

  // What it answers.

  private void handle(HttpExchange exchange) throws IOException {
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    var query = exchange.getRequestURI().getRawQuery();
    var request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().getPath(),
            query == null ? "" : query,
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
            headers);
    requests.add(request);
    Fault fault = faultFor(request);
    if (fault == Fault.BROKEN) {
      answer(exchange, 500, status(500, "InternalError", "etcd has the hiccups"));
    } else if (fault == Fault.FORBIDDEN) {
      answer(exchange, 403, status(403, "Forbidden", "no rights are known yet"));
    } else if (fault == Fault.OVERLOAD) {
      answer(exchange, 429, status(429, "TooManyRequests", "too many requests"));
    } else if (isDripping(request.path())) {
      drip(exchange);
    } else if (request.isWatch()) {
      watch(exchange, request);
    } else {
      Reply reply = slowly(request);
      if (fault == Fault.CUT_AFTER) {
        exchange.close();
      } else {
        answer(exchange, reply.code(), reply.body());
      }
    }
  }

  private synchronized Fault faultFor(Request request) {
    for (Awaited awaited : faults) {
      if (request.method().equals(awaited.method()) && request.path().endsWith(awaited.end())) {
        faults.remove(awaited);
        return awaited.fault();
      }
    }
    return null;
  }

  private Reply slowly(Request request) {
    mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    LockSupport.parkNanos(delay.toNanos());
    try {
      return reply(request);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  private record Reply(int code, Map<String, Object> body) {}

  private synchronized Reply reply(Request request) {
    String path = request.path();
    if (always.containsKey(path)) {
      return refusal(always.get(path), "Always", "always so");
    }
    if (fixed.containsKey(path)) {
      return new Reply(200, fixed.get(path));
    }
    if (path.equals("/version")) {
      return new Reply(200, JsonBodies.object("gitVersion", "v1.36.3-fake"));
    }
    String[] parts = path.split("/", -1);
    if (request.method().equals("PATCH") && !path.contains("/namespaces/")) { // …/queues/a/status
      String whole = String.join("/", List.of(parts).subList(0, parts.length - 2));
      return patch(whole, key(whole, "", parts[parts.length - 2]), tree(request.body()));
    }
    int namespaces = List.of(parts).indexOf("namespaces");
    boolean one = request.method().equals("GET") && request.query().isEmpty();
    if (namespaces < 0 && one) { // …/nodes/a
      String whole = String.join("/", List.of(parts).subList(0, parts.length - 1));
      var found = objects.get(key(whole, "", parts[parts.length - 1]));
      return found == null
          ? refusal(404, "NotFound", "\"" + parts[parts.length - 1] + "\" not found")
          : new Reply(200, found);
    }
    if (namespaces < 0 || namespaces + 2 >= parts.length) {
      return list(request);
    }
    String collection =
        String.join("/", List.of(parts).subList(0, namespaces)) + "/" + parts[namespaces + 2];
    String namespace = parts[namespaces + 1];
    if (parts.length == namespaces + 3) {
      return create(collection, namespace, tree(request.body()));
    }
    String key = key(collection, namespace, parts[namespaces + 3]);
    if (!objects.containsKey(key)) {
      return refusal(404, "NotFound", "pods \"" + parts[namespaces + 3] + "\" not found");
    }
    String subresource = parts.length > namespaces + 4 ? parts[namespaces + 4] : "";
    return switch (request.method() + " " + subresource) {
      case "GET " -> new Reply(200, objects.get(key));
      case "DELETE " -> delete(collection, key, tree(request.body()), "preconditions");
      case "PATCH " -> patch(collection, key, tree(request.body()));
      case "PATCH status" -> patch(collection, key, tree(request.body()));
      case "POST binding" -> bind(collection, key, tree(request.body()));
      case "POST eviction" -> evict(collection, key, tree(request.body()));
      default -> refusal(405, "MethodNotAllowed", "no such verb");
    };
  }

  private Reply list(Request request) {
    int limit = Integer.parseInt(request.parameter("limit"));
    String next = request.parameter("continue");
    if (!next.isEmpty() && !secondPages.isEmpty()) {
      return refusal(secondPages.remove(), "Scripted", "as the test wants");
    }
    boolean compacted = !next.isEmpty() && beforeSecondPage.isPresent();
    if (compacted) {
      beforeSecondPage.get().run();
      beforeSecondPage = Optional.empty();
    }
    int from = next.isEmpty() ? 0 : Integer.parseInt(next.substring(next.indexOf('@') + 1));
    long first = next.isEmpty() ? version : Long.parseLong(next.substring(0, next.indexOf('@')));
    long at = compacted ? version : first;
    var all = new ArrayList<Map<String, Object>>();
    objects.forEach((key, object) -> {
      if (key.startsWith(request.path() + " ")) {
        all.add(object);
      }
    });
    int to = Math.min(all.size(), from + limit);
    var metadata = JsonBodies.object("resourceVersion", String.valueOf(at));
    if (to < all.size()) {
      metadata.put("continue", at + "@" + to);
    }
    return new Reply(
        200,
        JsonBodies.object(
            "kind", "List", "metadata", metadata, "items", List.copyOf(all.subList(from, to))));
  }

  private Reply create(String collection, String namespace, Map<String, Object> body) {
    String key = key(collection, namespace, JsonBodies.at(body, "metadata", "name"));
    if (objects.containsKey(key)) {
      return refusal(409, "AlreadyExists", key + " already exists");
    }
    metadata(body).put("uid", "uid-" + version);
    store(collection, key, body);
    return new Reply(201, body);
  }

  private Reply delete(
      String collection, String key, Map<String, Object> options, String preconditions) {
    String wanted = JsonBodies.at(options, preconditions, "uid");
    if (!wanted.isEmpty() && !wanted.equals(uid(key))) {
      return anotherUid(wanted, key);
    }
    var object = objects.remove(key);
    stamp(object);
    publish(collection, "DELETED", object);
    return new Reply(200, JsonBodies.object("kind", "Status", "status", "Success"));
  }

  private Reply patch(String collection, String key, Map<String, Object> patch) {
    if (!anyUid && !JsonBodies.at(patch, "metadata", "uid").equals(uid(key))) {
      return refusal(422, "Invalid", "metadata.uid: Invalid value: field is immutable");
    }
    String wanted = JsonBodies.at(patch, "metadata", "resourceVersion");
    if (!wanted.isEmpty()
        && !wanted.equals(JsonBodies.at(objects.get(key), "metadata", "resourceVersion"))) {
      return refusal(409, "Conflict", "the object has been modified");
    }
    merge(objects.get(key), patch);
    store(collection, key, objects.get(key));
    return new Reply(200, objects.get(key));
  }

  private Reply bind(String collection, String key, Map<String, Object> binding) {
    var pod = objects.get(key);
    String wanted = JsonBodies.at(binding, "metadata", "uid");
    if (!wanted.equals(uid(key))) {
      return anotherUid(wanted, key);
    }
    String there = JsonBodies.at(pod, "spec", "nodeName");
    if (!there.isEmpty()) {
      return refusal(409, "Conflict", "pod is already assigned to node \"" + there + "\"");
    }
    merge(
        pod,
        JsonBodies.object(
            "spec", JsonBodies.object("nodeName", JsonBodies.at(binding, "target", "name"))));
    if (binding.get("metadata") instanceof Map<?, ?> metadata
        && metadata.containsKey("annotations")) {
      merge(
          pod,
          JsonBodies.object(
              "metadata", JsonBodies.object("annotations", metadata.get("annotations"))));
    }
    store(collection, key, pod);
    return new Reply(201, JsonBodies.object("kind", "Status", "status", "Success"));
  }

  private Reply evict(String collection, String key, Map<String, Object> eviction) {
    if (tooLargeToKeep) {
      return new Reply(500, status(500, "InternalError", "etcdserver: request is too large"));
    }
    if (severalBudgets) {
      String why =
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.";
      return new Reply(500, status(500, "", why));
    }
    if (budgetSaysNo) {
      var status =
          status(429, "TooManyRequests", "Cannot evict pod as it would violate the budget");
      status.put(
          "details",
          JsonBodies.object("causes", List.of(JsonBodies.object("reason", "DisruptionBudget"))));
      return new Reply(429, status);
    }
    @SuppressWarnings("unchecked")
    var options = (Map<String, Object>) eviction.get("deleteOptions");
    return delete(collection, key, options, "preconditions");
  }

  private void watch(HttpExchange exchange, Request request) throws IOException {
    var lines = new LinkedBlockingQueue<String>();
    var watch = new Watch(request.path(), lines);
    synchronized (this) {
      long from = Long.parseLong(request.parameter("resourceVersion"));
      if (always.containsKey(request.path())) {
        answer(exchange, always.get(request.path()), status(always.get(request.path()), "", "so"));
        return;
      }
      if (from < forgotten) {
        answer(exchange, 410, status(410, "Expired", "too old resource version"));
        return;
      }
      if (from > version) {
        answer(exchange, 504, status(504, "Timeout", "Too large resource version"));
        return;
      }
      if (endsAtOnce) {
        lines.add("END");
      }
      if (!poison.isEmpty() && from == poisonedFrom) {
        lines.add(poison);
      }
      for (Event event : history) {
        if (event.version() > from && event.path().equals(request.path())) {
          lines.add(event.line());
        }
      }
      watches.add(watch);
    }
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush();
      for (String line = lines.take(); !line.equals("END"); line = lines.take()) {
        if (line.equals("CUT")) {
          exchange.close();
          return;
        }
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException left) {
      // the client went away
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } finally {
      watches.remove(watch);
    }
  }

  // What it keeps.

  private long store(String collection, String key, Map<String, Object> object) {
    boolean isNew =
        !objects.containsKey(key) || !uid(key).equals(JsonBodies.at(object, "metadata", "uid"));
    stamp(object);
    objects.put(key, object);
    publish(collection, isNew ? "ADDED" : "MODIFIED", object);
    return version;
  }

  private void stamp(Map<String, Object> object) {
    metadata(object).put("resourceVersion", String.valueOf(++version));
  }

  private void publish(String collection, String type, Map<String, Object> object) {
    String line = text(JsonBodies.object("type", type, "object", object));
    history.add(new Event(version, collection, line));
    for (Watch watch : watches) {
      if (watch.path().equals(collection)) {
        watch.lines().add(line);
      }
    }
  }

  private String uid(String key) {
    return JsonBodies.at(objects.get(key), "metadata", "uid");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> metadata(Map<String, Object> object) {
    return (Map<String, Object>) object.computeIfAbsent("metadata", _ -> new LinkedHashMap<>());
  }

  @SuppressWarnings("unchecked")
  private static void merge(Map<String, Object> target, Map<String, Object> patch) {
    patch.forEach((name, value) -> {
      if (value == null) {
        target.remove(name);
      } else if (value instanceof Map<?, ?> below) {
        var into =
            target.get(name) instanceof Map<?, ?> old
                ? new LinkedHashMap<>((Map<String, Object>) old)
                : new LinkedHashMap<String, Object>();
        merge(into, (Map<String, Object>) below);
        target.put(name, into);
      } else {
        target.put(name, value);
      }
    });
  }

  private static String key(String collection, String namespace, String name) {
    return collection + " " + namespace + "/" + name;
  }

  private Reply anotherUid(String wanted, String key) {
    return refusal(
        409,
        "Conflict",
        "Precondition failed: UID in precondition: "
            + wanted
            + ", UID in object meta: "
            + uid(key));
  }

  private static Reply refusal(int code, String reason, String message) {
    return new Reply(code, status(code, reason, message));
  }

  private static Map<String, Object> status(int code, String reason, String message) {
    return JsonBodies.object(
        "kind", "Status", "status", "Failure", "code", code, "reason", reason, "message", message);
  }

  private static void answer(HttpExchange exchange, int code, Map<String, Object> body)
      throws IOException {
    byte[] bytes = text(body).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static Map<String, Object> tree(String body) {
    try {
      return JSON.readValue(body, new TypeReference<>() {});
    } catch (IOException notJson) {
      throw new UncheckedIOException(notJson);
    }
  }

  private static String text(Map<String, ?> object) {
    return JsonBodies.text(object);
  }
}
