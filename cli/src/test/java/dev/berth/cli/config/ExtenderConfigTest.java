package dev.berth.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.cli.config.ExtenderConfig.MetricsFor;
import dev.berth.extender.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How we are asked, as the file says it.
class ExtenderConfigTest {
  private static ExtenderConfig read(Map<String, Object> extender) throws ConfigException {
    return Config.read(Map.of("extender", extender)).extender();
  }

  @Test
  void withoutAWordItIsLoopbackWithoutCertificates() {
    assertThat(Config.defaults().extender())
        .isEqualTo(
            new ExtenderConfig(
                new HostPort("127.0.0.1", 8888),
                Duration.ofSeconds(20),
                new TlsSettings.Off(),
                MetricsFor.ANYONE,
                List.of()));
  }

  @Test
  void otherSchedulersForWhichTheVerbsAnswerAreNamed() throws ConfigException {
    assertThat(read(Map.of("otherSchedulers", List.of("batch"))).otherSchedulers())
        .containsExactly("batch");
  }

  @Test
  void everyFieldOfTheCertificatesArrives() throws ConfigException {
    var extender =
        read(
            Map.of(
                "metrics",
                "allowed",
                "tls",
                Map.of(
                    "certificate", "/c/tls.crt",
                    "key", "/c/tls.key",
                    "checkInterval", "1s",
                    "clients", Map.of("ca", "/c/ca.crt", "names", List.of("berth-scheduler")))));
    assertThat(extender.metrics()).isEqualTo(MetricsFor.ALLOWED);
    assertThat(extender.tls())
        .isEqualTo(
            new TlsSettings.Files(
                Path.of("/c/tls.crt"),
                Path.of("/c/tls.key"),
                Path.of("/c/ca.crt"),
                List.of("berth-scheduler"),
                Duration.ofSeconds(1)));
  }

  @Test
  void halfOfItIsAnErrorThatNamesTheOtherHalf() {
    assertThatThrownBy(() -> read(Map.of("tls", Map.of("certificate", "/c/tls.crt"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "extender.tls.key is \"\", but must be the path of a PEM file",
            "extender.tls.clients.ca is \"\"")
        .hasMessageNotContaining("extender.tls.certificate is");
    assertThatThrownBy(
            () -> read(Map.of("tls", Map.of("clients", Map.of("names", List.of("someone"))))))
        .hasMessageContainingAll("extender.tls.certificate", "extender.tls.clients.ca");
  }

  @Test
  void berthsOwnCertificatesNeedANamespaceAlone() throws ConfigException {
    var tls = read(Map.of("tls", Map.of("issue", Map.of("namespace", "elsewhere")))).tls();
    assertThat(tls)
        .isEqualTo(
            new TlsSettings.Issued(
                "elsewhere",
                "berth-ca",
                "berth-scheduler-tls",
                "berth-scheduler",
                List.of(
                    "berth.elsewhere.svc",
                    "berth.elsewhere.svc.cluster.local",
                    "localhost",
                    "127.0.0.1"),
                Duration.ofSeconds(10)));
    assertThatThrownBy(() ->
            read(
                Map.of(
                    "tls", Map.of("key", "/c/tls.key", "issue", Map.of("namespace", "elsewhere")))))
        .hasMessageContainingAll("extender.tls.issue", "must be absent where tls.certificate");
  }

  @Test
  void aMisspeltWordIsNamed() {
    assertThatThrownBy(() -> read(Map.of("metrics", "everyone")))
        .hasMessage("extender.metrics is \"everyone\", but must be anyone or allowed");
  }
}
