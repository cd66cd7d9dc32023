package dev.berth.extender.tls;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.extender.ExtenderServer;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.tls.SecretStore.Secret;
import dev.berth.extender.tls.SecretStore.Unavailable;
import dev.berth.extender.verbs.VerbCluster;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;

/// Certificates that Berth makes for both sides: over real connections, and over the years.
class IssuerTest {
  private static final TlsSettings.Issued SETTINGS =
      new TlsSettings.Issued(
          "berth-system",
          "berth-ca",
          "berth-scheduler-tls",
          "berth-scheduler",
          List.of("berth.berth-system.svc", "localhost", "127.0.0.1"),
          ofSeconds(1));

  private final InMemorySecrets secrets = new InMemorySecrets();
  private Instant now = Instant.now();

  private Issuer issuer() throws UnusableCertificates {
    return new Issuer(SETTINGS, secrets, () -> now);
  }

  private X509Certificate inSecret(String name, String file) throws UnusableCertificates {
    return new Pem(Path.of(file), secrets.secrets.get(name).file(file)).certificates().getFirst();
  }

  /// A client that has what a Secret holds, as kube-scheduler's pod mounts it.
  private SSLContext client(Secret secret) throws Exception {
    var password = new char[0];
    var keys = KeyStore.getInstance("PKCS12");
    keys.load(null, password);
    var chain = new Pem(Path.of("crt"), secret.file("tls.crt")).certificates();
    keys.setKeyEntry(
        "me",
        new Pem(Path.of("key"), secret.file("tls.key")).key(),
        password,
        chain.toArray(X509Certificate[]::new));
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, password);
    var ca = new Pem(Path.of("ca"), secret.file("ca.crt")).certificates().getFirst();
    trusted.setCertificateEntry("ca", ca);
    var shown = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    shown.init(keys, password);
    var believed = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    believed.init(trusted);
    var context = SSLContext.getInstance("TLS");
    context.init(shown.getKeyManagers(), believed.getTrustManagers(), null);
    return context;
  }

  @Test
  void bothSidesAgreeByTheSecretAloneAndBeforeThatNoCertificateIsBelieved() throws Exception {
    var issuer = issuer();
    var timer = new WallClockTimer(InstantSource.system());
    var cluster =
        new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1", "n2").planned("train", "n2");
    var server = TlsServer.start(cluster, new Transport.Mutual(issuer.certificates()));
    try {
      assertThat(status(server, trustingAll(), "/healthz")).as("a probe").isEqualTo(200);
      assertThat(status(server, trustingAll(), "/extender/filter")).isEqualTo(401);
      var other = new Issuer(SETTINGS, secrets, () -> now); // another replica is first
      other.look();
      var scheduler = client(secrets.secrets.get("berth-scheduler-tls"));
      assertThatThrownBy(() -> status(server, scheduler, "/healthz"))
          .as("what is shown before the first look")
          .isInstanceOf(IOException.class);

      assertThat(issuer.look().renewed()).as("the certificate is renewed").isTrue();

      assertThat(status(server, scheduler, "/extender/filter")).isEqualTo(200);
      assertThat(issuer.look().renewed()).as("again, and nothing changed").isFalse();

      secrets.secrets.clear(); // an administrator wants all of it anew
      other.look();
      issuer.look();
      var anew = client(secrets.secrets.get("berth-scheduler-tls"));
      assertThat(status(server, anew, "/extender/filter")).isEqualTo(200);
      assertThatThrownBy(() -> status(server, scheduler, "/extender/filter"))
          .isInstanceOf(IOException.class);
    } finally {
      server.close();
      timer.close();
    }
  }

  private static int status(ExtenderServer server, SSLContext client, String path)
      throws Exception {
    try (var http =
        HttpClient.newBuilder().sslContext(client).version(HttpClient.Version.HTTP_1_1).build()) {
      var uri = URI.create("https://127.0.0.1:" + server.port() + path);
      var request = HttpRequest.newBuilder(uri).timeout(ofSeconds(30));
      if (path.startsWith("/extender")) {
        request.POST(
            HttpRequest.BodyPublishers.ofString(
                "{\"Pod\":{\"metadata\":{\"name\":\"train\",\"namespace\":\"%s\",\"uid\":\"%s\"},\"spec\":{}},"
                        .formatted(VerbCluster.key("train").namespace(), VerbCluster.uid("train"))
                    + "\"NodeNames\":[\"n1\",\"n2\"]}"));
      }
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }
  }

  /// As the kubelet's probes do.
  private static SSLContext trustingAll() throws Exception {
    var context = SSLContext.getInstance("TLS");
    var all = new X509ExtendedTrustManager[] {new TrustAll()};
    context.init(null, all, null);
    return context;
  }

  @Test
  void whatEndsIsRenewedInTimeAndWhatIsYoungStays() throws Exception {
    var issuer = issuer();
    var first = issuer.look();
    var ca = inSecret("berth-ca", "tls.crt");
    var client = inSecret("berth-scheduler-tls", "tls.crt");
    assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
    assertThat(secrets.secrets.get("berth-scheduler-tls").data())
        .as("not the CA's key")
        .containsOnlyKeys("ca.crt", "tls.crt", "tls.key");

    now = now.plus(ofDays(61));
    assertThat(issuer.look().renewed()).as("ours, of ninety days").isTrue();
    assertThat(inSecret("berth-scheduler-tls", "tls.crt")).isEqualTo(client);

    now = now.plus(ofDays(190)); // 114 days are left
    var renewed = issuer.look();
    assertThat(inSecret("berth-scheduler-tls", "tls.crt")).isNotEqualTo(client);
    assertThat(renewed.clientSince()).isAfter(first.clientSince().plus(ofDays(250)));
    assertThat(inSecret("berth-ca", "tls.crt")).isEqualTo(ca);

    now = Instant.ofEpochMilli(ca.getNotAfter().getTime()).minus(ofDays(29));
    issuer.look();
    assertThat(inSecret("berth-ca", "tls.crt")).as("in its last month").isNotEqualTo(ca);
    assertThat(inSecret("berth-scheduler-tls", "ca.crt"))
        .isEqualTo(inSecret("berth-ca", "tls.crt"));
  }

  @Test
  void ofTwoReplicasTheSlowerTakesWhatTheOtherWrote() throws Exception {
    var slower = issuer();
    var faster = issuer();
    secrets.meanwhile =
        () -> {
          try {
            faster.look();
          } catch (Unavailable | UnusableCertificates unexpected) {
            throw new IllegalStateException(unexpected);
          }
        };

    slower.look();

    assertThat(secrets.secrets.values()).extracting(Secret::version).doesNotHaveDuplicates();
    assertThat(secrets.secrets).as("each written once").hasSize(2);
    var ca = inSecret("berth-ca", "tls.crt");
    inSecret("berth-scheduler-tls", "tls.crt").verify(ca.getPublicKey());
    assertThat(slower.look().renewed()).as("the certificate is renewed").isFalse();
  }

  @Test
  void whatIsBrokenOrOfAnotherAuthorityIsReplaced() throws Exception {
    issuer().look();
    var ours = secrets.secrets.get("berth-ca");
    var broken = new TreeMap<>(ours.data());
    broken.put("tls.key", "-----BEGIN PRIVATE KEY-----\nbroken\n-----END PRIVATE KEY-----\n");
    secrets.secrets.put("berth-ca", new Secret(broken, ours.version()));
    secrets.secrets.put("berth-scheduler-tls", new Secret(new TreeMap<>(Map.of("x", "y")), "v9"));

    issuer().look();

    var ca = inSecret("berth-ca", "tls.crt");
    assertThat(
            PresentedIdentity.belongs(
                new Pem(Path.of("k"), secrets.secrets.get("berth-ca").file("tls.key")).key(), ca))
        .as("its key")
        .isTrue();
    inSecret("berth-scheduler-tls", "tls.crt").verify(ca.getPublicKey());
  }

  @Test
  void whileTheSecretsCannotBeReadWhatIsShownHolds() throws Exception {
    var issuer = issuer();
    issuer.look();
    var until = issuer.certificates().until();
    secrets.isAway = true;

    assertThatThrownBy(issuer::look).isInstanceOf(Unavailable.class).hasMessage("no answer");

    assertThat(issuer.certificates().until()).isEqualTo(until);
  }

  private static final class TrustAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
