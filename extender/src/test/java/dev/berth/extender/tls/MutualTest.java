package dev.berth.extender.tls;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.extender.ExtenderServer;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.verbs.VerbCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Certificates on both sides, over real connections.
class MutualTest {
  @TempDir static Path made;
  private static Authority ours;
  private static Authority strangers;

  @TempDir Path folder; // what the server reads
  private CertificateFiles certificates;
  private ExtenderServer server;
  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());

  @BeforeAll
  static void make() throws Exception {
    ours = new Authority(made, "ours");
    strangers = new Authority(made, "strangers");
    ours.sign("berth", "berth", "EC");
    ours.sign("scheduler", "berth-scheduler", "EC");
    ours.sign("somebody", "somebody", "EC");
    strangers.sign("impostor", "berth-scheduler", "EC");
    strangers.sign("renewed", "berth", "RSA");
  }

  /// What the server reads is `from` now.
  private void replace(String from, String file) throws IOException {
    Files.copy(made.resolve(from), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  @BeforeEach
  void start() throws Exception {
    replace("berth.crt", "berth.crt");
    replace("berth.key", "berth.key");
    replace("ours.crt", "ca.crt");
    certificates = CertificateFiles.open(settings(List.of("berth-scheduler")));
    var cluster =
        new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1", "n2").planned("train", "n2");
    server = TlsServer.start(cluster, new Transport.Mutual(certificates.certificates()));
  }

  @AfterEach
  void stop() {
    server.close();
    timer.close();
  }

  private TlsSettings.Files settings(List<String> clients) {
    return new TlsSettings.Files(
        folder.resolve("berth.crt"),
        folder.resolve("berth.key"),
        folder.resolve("ca.crt"),
        clients,
        ofSeconds(1));
  }

  private HttpResponse<String> asks(SSLContext client, String path) throws Exception {
    try (var http =
        HttpClient.newBuilder().sslContext(client).version(HttpClient.Version.HTTP_1_1).build()) {
      var uri = URI.create("https://127.0.0.1:" + server.port() + path);
      var request = HttpRequest.newBuilder(uri).timeout(ofSeconds(30));
      return http.send(
          path.startsWith("/extender") ? question(path) : request.build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private HttpRequest filter() {
    return question("/extender/filter");
  }

  private HttpRequest question(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + path))
        .timeout(ofSeconds(60))
        .POST(
            HttpRequest.BodyPublishers.ofString(
                "{\"Pod\":{\"metadata\":{\"name\":\"train\",\"namespace\":\"%s\",\"uid\":\"%s\"},\"spec\":{}},"
                        .formatted(VerbCluster.key("train").namespace(), VerbCluster.uid("train"))
                    + "\"NodeNames\":[\"n1\",\"n2\"]}"))
        .build();
  }

  @Test
  void kubeSchedulersCertificateMayAsk() throws Exception {
    var answer = asks(ours.showing(ours, "scheduler"), "/extender/filter");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void aGangComesOnOneConnection() throws Exception {
    try (var http = HttpClient.newBuilder().sslContext(ours.showing(ours, "scheduler")).build()) {
      assertThat(http.sendAsync(filter(), HttpResponse.BodyHandlers.ofString()).get().version())
          .as("kube-scheduler's client speaks it, too")
          .isEqualTo(HttpClient.Version.HTTP_2);
      var asked =
          IntStream.range(0, 500)
              .mapToObj(_ -> http.sendAsync(filter(), HttpResponse.BodyHandlers.ofString()))
              .toList();
      for (var answer : asked) {
        assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"filter", "prioritize", "preempt", "bind"})
  void clientWithoutACertificateMayNotAsk(String verb) throws Exception {
    var answer = asks(ours.showingNothing(), "/extender/" + verb);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("no client certificate was shown", "tlsConfig.certFile");
  }

  @Test
  void anothersNameMayNotAsk() throws Exception {
    var answer = asks(ours.showing(ours, "somebody"), "/extender/filter");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("somebody's", "berth-scheduler");
  }

  @Test
  void whatAnotherAuthoritySignedHasNoConnection() throws Exception {
    var impostor = ours.showing(strangers, "impostor");
    assertThatThrownBy(() -> asks(impostor, "/extender/filter")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> asks(impostor, "/readyz")).isInstanceOf(IOException.class);
  }

  @Test
  void withoutEncryptionThereIsNoAnswer() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      var uri = URI.create("http://127.0.0.1:" + server.port() + "/healthz");
      assertThatThrownBy(() ->
              http.send(
                  HttpRequest.newBuilder(uri).timeout(ofSeconds(5)).build(),
                  HttpResponse.BodyHandlers.ofString()))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void theKubeletProbesWithoutACertificate() throws Exception {
    assertThat(asks(ours.showingNothing(), "/healthz").statusCode()).isEqualTo(200);
    assertThat(asks(ours.showingNothing(), "/readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void newFilesAreTakenWithoutARestart() throws Exception {
    assertThat(certificates.renew()).as("taken, though nothing changed").isFalse();
    replace("renewed.crt", "berth.crt");
    replace("renewed.key", "berth.key");
    replace("strangers.crt", "ca.crt");
    assertThat(certificates.renew()).as("taken").isTrue();

    var answer = asks(strangers.showing(strangers, "impostor"), "/extender/filter");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThatThrownBy(() -> asks(ours.showing(ours, "scheduler"), "/extender/filter"))
        .as("who believes the CA before")
        .isInstanceOf(SSLHandshakeException.class);
    assertThatThrownBy(() -> asks(strangers.showing(ours, "scheduler"), "/extender/filter"))
        .as("whom the CA before signed for")
        .isInstanceOf(IOException.class);
  }

  @Test
  void filesThatAreHalfReplacedChangeNothing() throws Exception {
    replace("somebody.crt", "berth.crt");
    assertThatThrownBy(certificates::renew)
        .isInstanceOf(UnusableCertificates.class)
        .hasMessageContainingAll("berth.key is not the key of", "berth.crt");
    Files.delete(folder.resolve("berth.key"));
    assertThatThrownBy(certificates::renew)
        .isInstanceOf(UnusableCertificates.class)
        .hasMessageContainingAll("berth.key cannot be read", "extender.tls");
    assertThat(asks(ours.showing(ours, "scheduler"), "/extender/filter").statusCode())
        .isEqualTo(200);
  }

  @Test
  void aKeyInAnotherFormSaysWhatToDo() throws Exception {
    Files.writeString(
        folder.resolve("berth.key"),
        Files.readString(folder.resolve("berth.key")).replace("PRIVATE KEY", "EC PRIVATE KEY"));
    assertThatThrownBy(() -> CertificateFiles.open(settings(List.of())))
        .isInstanceOf(UnusableCertificates.class)
        .hasMessageContainingAll("berth.key", "openssl pkcs8 -topk8 -nocrypt");
  }
}
