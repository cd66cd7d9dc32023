package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.kube.Api.Ask;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WorkloadPhase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// Does every write once before a real kube-apiserver and prints what it said, for a person to
/// read: what surprises here belongs into [FakeApiServer]. Not a test: it wants a cluster
/// (`e2e/cluster up --no-berth`), its kubeconfig as the argument, and a node's name as the second.
final class RealServer {
  private final KubeCluster cluster;
  private final Api admin;
  private final Api api;
  private final NodeName node;
  private final ConcurrentSkipListMap<String, AtomicLong> delivered = new ConcurrentSkipListMap<>();

  private RealServer(KubeCluster admin, KubeCluster cluster, NodeName node) {
    this.admin = new Api(admin, WriteSettings.DEFAULT, Math::random, Metrics.unseen());
    this.cluster = cluster;
    this.node = node;
    this.api = new Api(cluster, WriteSettings.DEFAULT, Math::random, Metrics.unseen());
  }

  public static void main(String[] arguments) throws Exception {
    try (var admin = KubeCluster.open(ClusterSettings.DEFAULT.withKubeconfig(arguments[0]));
        var cluster = KubeCluster.open(ClusterSettings.DEFAULT.withKubeconfig(arguments[1]))) {
      new RealServer(admin, cluster, new NodeName(arguments[2])).run();
    }
  }

  private void run() throws Exception {
    print("version", cluster.version());
    try (var watches = watches()) {
      watches.start();
      long start = System.nanoTime();
      while (!watches.isFresh()) {
        Thread.sleep(5);
      }
      print("all kinds fresh after ms", (System.nanoTime() - start) / 1_000_000);
      pods();
      holders();
      groups();
      writeConcurrently();
      Thread.sleep(500);
      print("delivered", delivered);
    }
  }

  private Watches watches() {
    var counting =
        new Watcher() {
          @Override
          public void seen(Kind kind, Map<String, ?> object) {
            count("seen " + kind);
          }

          @Override
          public void gone(Kind kind, Map<String, ?> object) {
            count("gone " + kind);
          }

          @Override
          public void synced(Kind kind) {
            count("synced " + kind);
          }
        };
    return new Watches(
        cluster,
        List.of(Watcher.Kind.values()),
        counting,
        WatchSettings.DEFAULT,
        new WatchClock(InstantSource.system(), Math::random),
        new WatchObserver(Metrics.unseen(), new AnsweredWrites(), _ -> {}));
  }

  private void count(String what) {
    delivered.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
  }

  private void pods() throws ClientException {
    var pods = new ApiPods(api);
    var key = new PodKey("default", "real-a");
    PodUid uid = pod(key, List.of());
    var other = new PodKey("default", "real-b");
    PodUid otherUid = pod(other, List.of("other.example/gate"));
    var another = new PodUid("00000000-0000-0000-0000-000000000000");
    attempt("lift, wrong uid", () -> pods.lift(key, another, 0, "node=x"));
    attempt("nominate, wrong uid", () -> pods.nominate(key, another, node));
    attempt("bind, gated", () -> pods.bind(key, uid, node, new TreeMap<>()));
    attempt("nominate, gated", () -> pods.nominate(key, uid, node));
    attempt("lift, others stay", () -> pods.lift(other, otherUid, 0, "p1"));
    attempt("lift", () -> pods.lift(key, uid, 0, "p1"));
    attempt("lift, again", () -> pods.lift(key, uid, 0, "p2"));
    var annotations = new TreeMap<String, String>();
    annotations.put("berth.dev/gpu-devices", "GPU-1");
    attempt("bind, wrong uid", () -> pods.bind(key, another, node, annotations));
    attempt("bind", () -> pods.bind(key, uid, node, annotations));
    attempt("bind, again", () -> pods.bind(key, uid, node, annotations));
    attempt("bind, elsewhere", () -> pods.bind(key, uid, new NodeName("x"), annotations));
    var read =
        admin.send("read", Ask.get(ApiPath.in("v1", "default", "pods").named("real-a"))).tree();
    print("annotations", ((Map<?, ?>) read.get("metadata")).get("annotations"));
    attempt("evict, wrong uid", () -> pods.evict(key, another));
    attempt("evict", () -> pods.evict(key, uid));
    attempt("evict, again", () -> pods.evict(key, uid));
    attempt("bind, nobody", () -> pods.bind(new PodKey("default", "no"), uid, node, annotations));
    new ApiEvents(api, "real", InstantSource.system())
        .tell(
            new EventRecorder.Regarding("v1", "Pod", "default", "real-a", uid.value()),
            true,
            "Evicted",
            "Evict",
            "for a try");
  }

  private void holders() throws ClientException {
    send(
        "namespace",
        Ask.post(ApiPath.fixed("/api/v1/namespaces"), JsonBodies.text(named("berth-system"))));
    var holders = new ApiHolders(api, HolderPodSettings.DEFAULT);
    attempt("holder", () -> holders.create(node, 0, Resource.NVIDIA));
    attempt("holder, again", () -> holders.create(node, 0, Resource.NVIDIA));
    String name = HolderPod.name(node, 0);
    var there =
        admin.send("read", Ask.get(ApiPath.in("v1", "berth-system", "pods").named(name))).tree();
    var key = new PodKey("berth-system", name);
    attempt("holder, delete, wrong uid", () -> holders.delete(key, new PodUid("x")));
    var uid = new PodUid(JsonBodies.at(there, "metadata", "uid"));
    attempt("holder, delete", () -> holders.delete(key, uid));
    attempt("holder, delete, again", () -> holders.delete(key, uid));
    attempt(
        "holder, no such namespace",
        () ->
            new ApiHolders(api, new HolderPodSettings("nowhere", "busybox", "", ""))
                .create(node, 0, Resource.NVIDIA));
  }

  private void groups() throws ClientException {
    var groups = new ApiGroups(api);
    var key = new GroupKey("default", "real-group");
    attempt(
        "group", () -> groups.create(key, 2, new QueueName("default"), PodGroupClient.Owner.NONE));
    attempt("group, again", () -> groups.create(key, 2, QueueName.NONE, PodGroupClient.Owner.NONE));
    var status =
        new PodGroupStatus(
            WorkloadPhase.QUEUED,
            "OverLimit",
            "full",
            Instant.EPOCH,
            Instant.EPOCH,
            1,
            new TreeMap<>(),
            new PodGroupStatus.Members(2, 2, 0, 0, 0, 0),
            ForecastStatus.NONE,
            List.of(new Condition("Scheduled", false, "OverLimit", "full", Instant.now())));
    attempt("group status", () -> groups.status(key, PodGroupStatus.NONE, status));
    String path = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups/real-group";
    var there = admin.send("read", Ask.get(ApiPath.fixed(path))).tree();
    print("group", there);
    attempt("group, delete, wrong uid", () -> groups.delete(key, "x"));
    String uid = JsonBodies.at(there, "metadata", "uid");
    attempt("group, delete", () -> groups.delete(key, uid));
    attempt("group, delete, again", () -> groups.delete(key, uid));
  }

  /// Many at once: what HTTP/2 and the server make of it.
  private void writeConcurrently() throws Exception {
    int pods = 400;
    var uids = new PodUid[pods];
    for (int i = 0; i < pods; i++) {
      uids[i] = pod(new PodKey("default", "write-" + i), List.of());
    }
    var clients = new ApiPods(api);
    for (String step : List.of("lift", "bind", "evict")) {
      long start = System.nanoTime();
      var threads = new Thread[pods];
      for (int i = 0; i < pods; i++) {
        var key = new PodKey("default", "write-" + i);
        PodUid uid = uids[i];
        threads[i] =
            Thread.startVirtualThread(() -> {
              try {
                switch (step) {
                  case "lift" -> clients.lift(key, uid, 0, "node=" + node);
                  case "bind" -> clients.bind(key, uid, node, new TreeMap<>());
                  default -> clients.evict(key, uid);
                }
              } catch (ClientException failed) {
                print(step + " " + key, failed.kind() + " " + failed.getMessage());
              }
            });
      }
      for (Thread thread : threads) {
        thread.join();
      }
      print(step + " × " + pods + " ms", (System.nanoTime() - start) / 1_000_000);
    }
  }

  private PodUid pod(PodKey key, List<String> gates) throws ClientException {
    var spec =
        JsonBodies.object(
            "schedulerName",
            "berth",
            "terminationGracePeriodSeconds",
            0,
            "schedulingGates",
            gates.stream().map(gate -> JsonBodies.object("name", gate)).toList(),
            "containers",
            List.of(JsonBodies.object("name", "main", "image", "busybox")));
    var body =
        JsonBodies.object(
            "apiVersion",
            "v1",
            "kind",
            "Pod",
            "metadata",
            named(key.name()).get("metadata"),
            "spec",
            spec);
    String path = "/api/v1/namespaces/" + key.namespace() + "/pods";
    Answer made = admin.send("create", Ask.post(ApiPath.fixed(path), JsonBodies.text(body)));
    if (!made.isDone()) {
      throw made.failure("create pod " + key);
    }
    return new PodUid(JsonBodies.at(made.tree(), "metadata", "uid"));
  }

  private void send(String what, Ask ask) throws ClientException {
    Answer answer = admin.send(what, ask);
    print(what, answer.code() + " " + answer.message());
  }

  private static Map<String, Object> named(String name) {
    return JsonBodies.object("metadata", JsonBodies.object("name", name));
  }

  private void attempt(String what, Api.Work work) {
    try {
      work.run();
      print(what, "done");
    } catch (ClientException failed) {
      print(what, failed.kind() + " " + failed.getMessage());
    }
  }

  private static void print(String what, Object answer) {
    System.out.println(what + ": " + answer);
  }
}
