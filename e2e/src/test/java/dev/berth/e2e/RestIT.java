package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The REST API with tokens that a real API server judges: one sees what one may read.
class RestIT {
  private static final int PORTS = 28600;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @AutoClose private static ControlPlane cluster;

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.configured("rest: {enabled: true}\n", PORTS, "--nodes", "2", "--gpus", "4");
  }

  private static RestApi as(String user) throws IOException {
    return RestApi.of(HTTP, PORTS + 8, cluster.dir().resolve(user + ".kubeconfig"));
  }

  @Test
  void oneSeesWhatOneMayRead() throws Exception {
    var api = cluster.admin();
    api.createQueue("research", 8);
    api.createOrFail("/api/v1/namespaces", "{\"metadata\": {\"name\": \"other\"}}");
    for (String namespace : new String[] {"default", "other"}) {
      String name = "in-" + namespace;
      api.createOrFail(
          "/api/v1/namespaces/" + namespace + "/pods", pod(name).by("berth").gpus(1).toString());
    }
    var admin = as("admin");
    ControlPlane.await(
        "both pods are seen, each with its place",
        () -> {
          try {
            String nodes = admin.get("nodes").body();
            boolean arePlaced = nodes.contains("in-default") && nodes.contains("in-other");
            return arePlaced && admin.names("workloads").size() == 2;
          } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
          }
        },
        () -> "");
    assertThat(admin.names("workloads")).containsExactly("in-default", "in-other");
    assertThat(admin.names("nodes")).hasSize(2);
    assertThat(admin.names("queues")).contains("research");
    assertThat(admin.get("nodes").body()).contains("in-other");

    var alice = as("alice"); // has the role edit in default
    assertThat(alice.names("workloads")).containsExactly("in-default");
    assertThat(alice.get("workloads/default/in-default").statusCode()).isEqualTo(200);
    assertThat(alice.get("workloads/other/in-other").statusCode()).isEqualTo(404);
    assertThat(alice.get("workloads?namespace=other").statusCode()).isEqualTo(403);
    assertThat(alice.get("nodes").statusCode()).isEqualTo(403);

    var stranger = new RestApi(HTTP, PORTS + 8, "forged");
    assertThat(stranger.get("queues").statusCode()).isEqualTo(401);
    assertThat(new RestApi(HTTP, PORTS + 8, "").get("events").statusCode()).isEqualTo(401);
    oneIsOfferedWhatOneMaySubmit(admin, alice);
    oneSeesWhyOnesPodsWereEvicted(admin, alice);
  }

  /// Of 8 GPUs 2 are in use, and all are of queue `research`.
  private static void oneIsOfferedWhatOneMaySubmit(RestApi admin, RestApi alice) throws Exception {
    String late = pod("late", "research", 4).toString();
    var owed = alice.post("offers?namespace=default", late);
    assertThat(owed.statusCode()).as(owed.body()).isEqualTo(200);
    var told = Api.JSON.readTree(owed.body()).at("/workloads/0");
    assertThat(told.get("starts").asBoolean()).as(owed.body()).isTrue();
    assertThat(told.get("queue").asText()).isEqualTo("research");
    assertThat(owed.body()).as("of other namespaces").doesNotContain("in-other", "\"node\"");
    assertThat(admin.post("offers?namespace=default", late).body()).contains("\"node\"");

    var elsewhere = alice.post("offers?namespace=other", late);
    assertThat(elsewhere.statusCode()).isEqualTo(403);
    assertThat(elsewhere.body()).contains("podgroups.berth.dev in namespace other");
    var large = alice.post("offers", pod("large", "research", 8).toString());
    assertThat(large.body()).as("8 GPUs are on no node").contains("\"reason\"", "\"patches\"");
    assertThat(alice.post("offers", "kind: Foo").statusCode()).isEqualTo(400);
    assertThat(new RestApi(HTTP, PORTS + 8, "forged").post("offers", late).statusCode())
        .isEqualTo(401);
    assertThat(admin.names("workloads")).as("nothing is submitted").hasSize(2);
  }

  /// All GPUs are of queue `research`: what others have of them is taken back.
  private static void oneSeesWhyOnesPodsWereEvicted(RestApi admin, RestApi alice) throws Exception {
    for (int i = 0; i < 2; i++) {
      cluster
          .admin()
          .createOrFail(
              "/api/v1/namespaces/other/pods", pod("owed-" + i, "research", 4).toString());
    }
    ControlPlane.await(
        "both pods were evicted, and all that they left for have started",
        () -> {
          try {
            var receipts = admin.receipts();
            return receipts.size() == 2
                && receipts.stream()
                    .allMatch(each -> each.at("/beneficiary/progress").asText().equals("started"));
          } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
          }
        },
        () -> "");
    assertThat(admin.receipts())
        .extracting(each -> each.get("pod").asText())
        .containsExactlyInAnyOrder("in-default", "in-other");
    assertThat(admin.receipts())
        .allSatisfy(each -> {
          assertThat(each.get("cause").asText()).isEqualTo("reclaim");
          assertThat(each.at("/beneficiary/name").asText()).startsWith("owed-");
        });
    assertThat(alice.receipts()).hasSize(1);
    assertThat(alice.receipts().getFirst().get("pod").asText()).isEqualTo("in-default");
    assertThat(alice.get("receipts").body()).doesNotContain("\"other\"", "in-other", "owed-");
    var inFull = alice.get("receipts/default/in-default");
    assertThat(inFull.statusCode()).isEqualTo(200);
    assertThat(inFull.body())
        .as("which queues there are, all may know")
        .contains("\"name\":\"research\"")
        .doesNotContain("in-other", "owed-");
    assertThat(admin.get("receipts/default/in-default").body()).contains("in-other", "owed-");
    assertThat(alice.get("receipts/other/in-other").statusCode()).isEqualTo(404);
    assertThat(alice.get("receipts?namespace=other").statusCode()).isEqualTo(403);
  }
}
