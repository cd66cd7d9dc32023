package dev.berth.cli.config;

import dev.berth.extender.tls.TlsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// How kube-scheduler asks Berth.
///
/// @param listen where kube-scheduler finds Berth
/// @param barrier how long a member waits in bind for the rest of its gang; less than the
///   `httpTimeout` of kube-scheduler's extender configuration
/// @param metrics which clients may read `/metrics`
/// @param otherSchedulers scheduler names beside `schedulers` for whose pods the verbs answer
public record ExtenderConfig(
    HostPort listen,
    Duration barrier,
    TlsSettings tls,
    MetricsFor metrics,
    List<String> otherSchedulers) {
  public ExtenderConfig {
    otherSchedulers = List.copyOf(otherSchedulers);
  }

  /// Which clients may read what.
  public enum MetricsFor {
    /// All clients that reach the port.
    ANYONE,
    /// Whose token the cluster lets `get` the non-resource URL `/metrics`.
    ALLOWED
  }

  static ExtenderConfig read(Section section) {
    return new ExtenderConfig(
        section.hostPort(
            "listen",
            "Where Berth listens, for kube-scheduler and for all other clients.",
            "127.0.0.1:8888"),
        section.duration(
            "barrier",
            "How long a member of a gang waits in bind for the others. Less than `httpTimeout` of"
                + " the extender in the configuration of kube-scheduler, and no more than"
                + " `plan.deadline`.",
            Duration.ofSeconds(20),
            Duration.ofSeconds(1),
            Duration.ofHours(1)),
        tls(
            section.section(
                "tls",
                "Encryption: `issue`, or all three of `certificate`, `key` and `clients.ca`. None"
                    + " of them means plain HTTP (docs/operators/security.md).")),
        section.word(
            "metrics",
            "Which clients may read /metrics: all, or clients with a token that may get the URL"
                + " /metrics (ClusterRole berth-metrics-reader).",
            MetricsFor.ANYONE,
            MetricsFor.class),
        section.texts(
            "otherSchedulers",
            "Scheduler names beside `schedulers` for whose pods the verbs answer: of further"
                + " profiles of the same kube-scheduler.",
            List.of()));
  }

  /// All three files, or none of them, or certificates of Berth's own.
  private static TlsSettings tls(Section section) {
    String certificate =
        section.text(
            "certificate",
            "File with the certificate of the server (PEM). Its content is followed without a"
                + " restart.",
            "");
    String key =
        section.text(
            "key",
            "File with its key (PEM, PKCS #8). Its content is followed without a restart.",
            "");
    var clients =
        section.section(
            "clients", "Clients of the verbs, which then need a certificate of their own.");
    String ca =
        clients.text(
            "ca",
            "File with the CA that signs the certificates of clients (PEM). Its content is followed"
                + " without a restart.",
            "");
    var names =
        clients.texts(
            "names", "Common names of clients. None means all that the CA signed.", List.of());
    var look =
        section.duration(
            "checkInterval",
            "How often files or Secrets are looked at. New ones are taken without a restart.",
            Duration.ofSeconds(10),
            Duration.ofMillis(100),
            Duration.ofHours(1));
    var issue = section.section("issue", "Certificates that Berth makes itself.");
    String namespace =
        issue.text(
            "namespace",
            "Namespace of the Secrets berth-ca and berth-scheduler-tls, which Berth makes. Empty"
                + " means that it makes none.",
            "");
    var ourNames =
        issue.texts(
            "names",
            "Names and addresses by which clients call Berth, beside those of its Service.",
            List.of());
    boolean areThere = !(certificate.isEmpty() && key.isEmpty() && ca.isEmpty() && names.isEmpty());
    if (!namespace.isEmpty()) {
      section.unless(
          !areThere,
          "issue",
          "{namespace: " + namespace + "}",
          "absent where tls.certificate, tls.key or tls.clients is set: of files Berth makes none");
      return issued(namespace, ourNames, look);
    }
    issue.unless(ourNames.isEmpty(), "namespace", "", "the namespace of the Secrets");
    if (!areThere) {
      return new TlsSettings.Off();
    }
    String must =
        "the path of a PEM file, as tls.certificate, tls.key and tls.clients.ca go together";
    section.unless(!certificate.isEmpty(), "certificate", "", must);
    section.unless(!key.isEmpty(), "key", "", must);
    clients.unless(!ca.isEmpty(), "ca", "", must);
    return new TlsSettings.Files(Path.of(certificate), Path.of(key), Path.of(ca), names, look);
  }

  /// @param more names by which Berth is called beside those of the Service
  private static TlsSettings issued(String namespace, List<String> more, Duration look) {
    String service = "berth." + namespace + ".svc";
    var names =
        Stream.concat(
            Stream.of(service, service + ".cluster.local", "localhost", "127.0.0.1"),
            more.stream());
    return new TlsSettings.Issued(
        namespace,
        "berth-ca",
        "berth-scheduler-tls",
        "berth-scheduler",
        names.distinct().toList(),
        look);
  }
}
