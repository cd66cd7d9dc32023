package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.AccessReviewClient.ResourceAttributes;
import dev.berth.controllers.client.AccessReviewClient.Review;
import dev.berth.controllers.client.ClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whose token it is and what its owner may do, in the words of the API server.
final class ReviewsTest {
  private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final Map<String, Object> PROMETHEUS =
      JsonBodies.object(
          "authenticated",
          true,
          "user",
          JsonBodies.object(
              "username",
              "system:serviceaccount:monitoring:prometheus",
              "uid",
              "u1",
              "groups",
              List.of("system:serviceaccounts"),
              "extra",
              JsonBodies.object("example.com/from", List.of("here"))));

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private ApiReviews reviews;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    var quick = new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
    reviews = new ApiReviews(new Api(cluster, quick, () -> 0.5, Metrics.unseen()), 2);
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  private void says(String path, Map<String, Object> status) {
    server.answers(path, JsonBodies.object("status", status));
  }

  @Test
  void theSecondQuestionIsAboutTheUserOfTheFirst() throws ClientException {
    says(TOKENS, PROMETHEUS);
    says(ACCESS, JsonBodies.object("allowed", true));
    assertThat(reviews.review("secret", "get", "/metrics"))
        .isEqualTo(new Review("system:serviceaccount:monitoring:prometheus", true));
    var asked = server.requests();
    assertThat(asked.getFirst().body()).contains("\"spec\":{\"token\":\"secret\"}");
    assertThat(asked.getFirst().headers().get("Accept"))
        .as("a reply of metadata alone would have no answer")
        .isEqualTo("application/json");
    assertThat(asked.getLast().body())
        .contains(
            "\"user\":\"system:serviceaccount:monitoring:prometheus\"",
            "\"uid\":\"u1\"",
            "\"groups\":[\"system:serviceaccounts\"]",
            "\"extra\":{\"example.com/from\":[\"here\"]}",
            "\"nonResourceAttributes\":{\"path\":\"/metrics\",\"verb\":\"get\"}")
        .doesNotContain("secret");
  }

  @Test
  void nobodysTokenIsNotAskedAboutFurther() throws ClientException {
    says(TOKENS, JsonBodies.object("authenticated", false, "error", "expired"));
    assertThat(reviews.review("old", "get", "/metrics")).isEqualTo(new Review("", false));
    assertThat(server.count("POST", "subjectaccessreviews")).isZero();
  }

  @Test
  void anAnswerWithoutAYesIsANo() throws ClientException {
    says(TOKENS, PROMETHEUS);
    says(ACCESS, JsonBodies.object());
    assertThat(reviews.review("secret", "get", "/metrics").isAllowed()).as("unsaid").isFalse();
    says(ACCESS, JsonBodies.object("allowed", true, "denied", true));
    assertThat(reviews.review("secret", "get", "/metrics").isAllowed()).as("denied").isFalse();
  }

  @Test
  void withoutTheRightToAskNoRequestIsLetThrough() {
    server.always(TOKENS, 403);
    assertThatThrownBy(() -> reviews.review("secret", "get", "/metrics"))
        .isInstanceOf(ClientException.class)
        .hasMessageContaining("could not review a token")
        .hasMessageNotContaining("secret");
  }

  @Test
  void rightsToObjectsAreAskedByResourceNamespaceAndName() throws ClientException {
    says(TOKENS, PROMETHEUS);
    says(ACCESS, JsonBodies.object("allowed", true));
    var user = reviews.owner("secret").orElseThrow();
    assertThat(
            reviews.isAllowed(
                user, new ResourceAttributes("list", "berth.dev", "podgroups", "ml", "")))
        .as("the user is allowed")
        .isTrue();
    assertThat(server.requests().getLast().body())
        .contains(
            "\"user\":\"system:serviceaccount:monitoring:prometheus\"",
            "\"groups\":[\"system:serviceaccounts\"]",
            "\"resourceAttributes\":{\"verb\":\"list\",\"group\":\"berth.dev\","
                + "\"resource\":\"podgroups\",\"namespace\":\"ml\"}")
        .doesNotContain("secret", "\"name\"");
    says(ACCESS, JsonBodies.object("allowed", true, "denied", true));
    assertThat(
            reviews.isAllowed(
                user, new ResourceAttributes("get", "berth.dev", "queues", "", "research")))
        .as("the user is allowed")
        .isFalse();
    assertThat(server.requests().getLast().body()).contains("\"name\":\"research\"");
    says(TOKENS, JsonBodies.object("authenticated", false));
    assertThat(reviews.owner("old")).isEmpty();
  }
}
