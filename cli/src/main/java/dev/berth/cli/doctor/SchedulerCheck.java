package dev.berth.cli.doctor;

import dev.berth.cli.doctor.ExtenderReply.ServerCertificate;
import dev.berth.engine.request.Durations;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// kube-scheduler's configuration: does it ask Berth, as it must, and does Berth answer.
final class SchedulerCheck {
  private static final String GROUP = "scheduler/";
  private static final Duration SOON = Duration.ofDays(30);
  private static final Duration BARRIER = Duration.ofSeconds(20);
  private static final List<String> PATHS =
      List.of("filterVerb", "prioritizeVerb", "preemptVerb", "bindVerb");

  private SchedulerCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var scheduler = facts.scheduler();
    if (scheduler.from().isEmpty()) {
      return List.of(
          Finding.warn(
              GROUP + "NoConfiguration",
              "kube-scheduler",
              "its configuration is no object of the API (no ConfigMap"
                  + " berth-system/berth-scheduler), so it was not checked",
              "Name the file: berth doctor --scheduler-config FILE. On a control plane node it is"
                  + " the --config of /etc/kubernetes/manifests/kube-scheduler.yaml."));
    }
    if (!scheduler.failure().isEmpty()) {
      return List.of(
          Finding.error(
              GROUP + "NotYaml",
              scheduler.from(),
              scheduler.failure(),
              "Write a KubeSchedulerConfiguration (manifests/scheduler/deployment.yaml has one)."));
    }
    var findings = new ArrayList<Finding>();
    ManifestTree config = ManifestTree.root(scheduler.config(), new Problems());
    profiles(scheduler.from(), config, findings);
    List<ManifestTree> extenders = config.objects("extenders");
    if (extenders.isEmpty()) {
      findings.add(
          Finding.error(
              GROUP + "NoExtender",
              scheduler.from(),
              "names no extender, so kube-scheduler does not ask Berth",
              "Add manifests/extender-only/kube-scheduler-snippet.yaml to it."));
    }
    for (int i = 0; i < extenders.size(); i++) {
      extender(scheduler.from(), extenders.get(i), findings);
      if (i < scheduler.replies().size()) {
        reply(facts, extenders.get(i), scheduler.replies().get(i), findings);
      }
    }
    return findings;
  }

  private static void profiles(String from, ManifestTree config, List<Finding> findings) {
    boolean ours = false;
    for (ManifestTree profile : config.objects("profiles")) {
      String name = profile.text("schedulerName");
      ours |= name.equals("berth");
      int percentage =
          profile
              .number("percentageOfNodesToScore", 0)
              .orElse(config.number("percentageOfNodesToScore", 0).orElse(0));
      if (name.equals("berth") && percentage != 100) {
        findings.add(
            Finding.warn(
                GROUP + "PercentageOfNodes",
                from,
                "percentageOfNodesToScore of profile berth is "
                    + (percentage == 0 ? "not set" : percentage)
                    + ": in a large cluster kube-scheduler stops before it reaches the node that is"
                    + " planned",
                "Set percentageOfNodesToScore: 100 in the profile."));
      }
    }
    findings.add(
        ours
            ? Finding.ok(GROUP + "Profile", from, "has a profile with schedulerName berth")
            : Finding.warn(
                GROUP + "NoProfile",
                from,
                "has no profile with schedulerName berth",
                "Add one, unless schedulers in Berth's configuration names another that it has."));
  }

  private static void extender(String from, ManifestTree extender, List<Finding> findings) {
    String url = extender.text("urlPrefix");
    int before = findings.size();
    for (String verb : PATHS) {
      String expected = verb.substring(0, verb.length() - "Verb".length());
      if (!extender.text(verb).equals(expected)) {
        wrong(
            findings,
            "Verb",
            from,
            verb + " is \"" + extender.text(verb) + "\", so Berth is not asked",
            "Set " + verb + ": " + expected + ".");
      }
    }
    if (!extender.flag("nodeCacheCapable")) {
      wrong(
          findings,
          "NodeCache",
          from,
          "nodeCacheCapable is not true, so every question carries all nodes, which Berth refuses",
          "Set nodeCacheCapable: true.");
    }
    if (extender.flag("ignorable")) {
      wrong(
          findings,
          "Ignorable",
          from,
          "ignorable is true, so pods are bound without their GPU while Berth is down",
          "Set ignorable: false.");
    }
    if (!extender.objects("managedResources").isEmpty()) {
      wrong(
          findings,
          "ManagedResources",
          from,
          "managedResources is set, so Berth is not asked about shares, which are annotations and"
              + " no resources",
          "Remove managedResources.");
    }
    String timeout = extender.text("httpTimeout");
    var parsed = Durations.parse(timeout);
    if (parsed.isEmpty() || parsed.get().compareTo(BARRIER) <= 0) {
      wrong(
          findings,
          "Timeout",
          from,
          "httpTimeout is "
              + (timeout.isEmpty() ? "not set (5s)" : timeout)
              + ", but members of a gang wait in bind for each other up to extender.barrier (20s)",
          "Set httpTimeout: 30s.");
    }
    if (findings.size() == before) {
      findings.add(Finding.ok(GROUP + "Extender", from, "asks " + url + " as Berth needs it"));
    }
  }

  private static void wrong(
      List<Finding> findings, String code, String from, String sentence, String wayOut) {
    findings.add(Finding.error(GROUP + code, from, "its extender's " + sentence, wayOut));
  }

  private static void reply(
      ClusterFacts facts, ManifestTree extender, ExtenderReply reply, List<Finding> findings) {
    String url = extender.text("urlPrefix");
    String object = "extender " + url;
    if (isServiceName(url) && reply.health() == 0) {
      service(facts, object, reply, findings);
    } else if (reply.health() == 0) {
      findings.add(
          Finding.error(
              GROUP + "Unreachable",
              object,
              "does not answer: " + reply.failure(),
              "Check that Berth runs there (extender.listen), that urlPrefix names its host and"
                  + " port, and that no NetworkPolicy or firewall is between."));
    } else if (reply.health() != 200) {
      findings.add(
          Finding.error(
              GROUP + "NotBerth",
              object,
              "/healthz answers " + reply.health() + ": this is not Berth",
              "Set urlPrefix to Berth's address, ending in /extender."));
    } else if (reply.ready() != 200) {
      findings.add(
          Finding.warn(
              GROUP + "NotReady",
              object,
              "answers, but /leadz says " + reply.ready() + ": it starts, or stands by",
              "Wait; if it stays so, read Berth's log."));
    } else {
      findings.add(Finding.ok(GROUP + "Reachable", object, "Berth answers and is ready"));
    }
    reply.certificate().forEach(shown -> certificate(facts.now(), url, object, shown, findings));
  }

  /// A Service's name resolves in the cluster alone; its endpoints stand in the API.
  private static void service(
      ClusterFacts facts, String object, ExtenderReply reply, List<Finding> findings) {
    if (!facts.of(Source.ENDPOINTS).isRead()) {
      return;
    }
    boolean anyReady =
        facts.trees(Source.ENDPOINTS).stream()
            .filter(slice ->
                ClusterFacts.labels(slice).text("kubernetes.io/service-name").equals("berth"))
            .flatMap(slice -> slice.objects("endpoints").stream())
            .anyMatch(endpoint -> endpoint.object("conditions").flag("ready"));
    findings.add(
        anyReady
            ? Finding.ok(
                GROUP + "Reachable",
                object,
                "Service berth has a ready endpoint (not tried: its name resolves in the cluster"
                    + " alone)")
            : Finding.error(
                GROUP + "Unreachable",
                object,
                "Service berth has no ready endpoint (" + reply.failure() + ")",
                "See kubectl -n berth-system get pods,endpointslices."));
  }

  static boolean isServiceName(String url) {
    try {
      String host = URI.create(url).getHost();
      return host != null && (host.endsWith(".svc") || host.endsWith(".svc.cluster.local"));
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static void certificate(
      Instant now, String url, String object, ServerCertificate shown, List<Finding> findings) {
    String renew =
        "Where Berth makes it (extender.tls.issue), read its log; else make a new one"
            + " (manifests/mtls/certificates) and restart kube-scheduler.";
    if (now.isAfter(shown.notAfter())) {
      findings.add(
          Finding.error(
              GROUP + "CertificateExpired",
              object,
              "its certificate ended at " + shown.notAfter(),
              renew));
    } else if (now.isBefore(shown.notBefore())) {
      findings.add(
          Finding.error(
              GROUP + "CertificateEarly",
              object,
              "its certificate begins at " + shown.notBefore(),
              "Check the clocks; then " + renew.toLowerCase(java.util.Locale.ROOT)));
    } else if (Duration.between(now, shown.notAfter()).compareTo(SOON) < 0) {
      findings.add(
          Finding.warn(
              GROUP + "CertificateEnds",
              object,
              "its certificate ends in "
                  + Duration.between(now, shown.notAfter()).toDays()
                  + " days, at "
                  + shown.notAfter(),
              renew));
    } else {
      findings.add(
          Finding.ok(
              GROUP + "Certificate", object, "its certificate is valid until " + shown.notAfter()));
    }
    String host = URI.create(url).getHost();
    if (!shown.names().contains(host)) {
      findings.add(
          Finding.error(
              GROUP + "CertificateName",
              object,
              "its certificate is for " + String.join(", ", shown.names()) + ", not for " + host,
              "Make one for " + host + ", or use one of those names in urlPrefix."));
    }
    if (!shown.trusted()) {
      findings.add(
          Finding.error(
              GROUP + "CertificateIssuer",
              object,
              "its certificate is not from the CA of tlsConfig: " + shown.issue(),
              "Set tlsConfig.caFile (or caData) to the CA that signed Berth's certificate."));
    }
  }

  /// Extenders of a configuration, for the look.
  static List<ManifestTree> extenders(Map<?, ?> config) {
    return ManifestTree.root(config, new Problems()).objects("extenders");
  }
}
