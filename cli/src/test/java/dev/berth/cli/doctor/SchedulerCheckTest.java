package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.NOW;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.doctor.ExtenderReply.ServerCertificate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerCheckTest {
  private static final String FROM = "file scheduler.yaml";
  private static final String EXTENDER =
      "urlPrefix: 'http://berth.example:8888/extender', filterVerb: filter, prioritizeVerb:"
          + " prioritize, preemptVerb: preempt, bindVerb: bind, nodeCacheCapable: true, ignorable:"
          + " false, httpTimeout: 30s";
  private static final ExtenderReply READY = new ExtenderReply(200, 200, "", List.of());

  @Test
  void asTheManifestsHaveIt() {
    assertThat(found(EXTENDER, READY)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          filterVerb: filter | filterVerb: '' | Verb
          bindVerb: bind | bindVerb: binding | Verb
          nodeCacheCapable: true | nodeCacheCapable: false | NodeCache
          ignorable: false | ignorable: true | Ignorable
          httpTimeout: 30s | httpTimeout: 5s | Timeout
          , httpTimeout: 30s | '' | Timeout
          ignorable: false | managedResources: [{name: nvidia.com/gpu}] | ManagedResources
          """)
  void aFieldThatIsWrong(String from, String to, String code) {
    assertThat(found(EXTENDER.replace(from, to), READY))
        .containsExactly("ERROR scheduler/" + code + " " + FROM);
  }

  @Test
  void profiles() {
    assertThat(
            wrong(
                SchedulerCheck.findings(
                    config("profiles: [{schedulerName: berth}], extenders: [{" + EXTENDER + "}]"))))
        .containsExactly("WARN scheduler/PercentageOfNodes " + FROM);
    assertThat(wrong(SchedulerCheck.findings(config("profiles: []"))))
        .containsExactly("WARN scheduler/NoProfile " + FROM, "ERROR scheduler/NoExtender " + FROM);
  }

  @Test
  void whatAnswers() {
    String object = " extender http://berth.example:8888/extender";
    assertThat(found(EXTENDER, ExtenderReply.failed("ConnectException: refused")))
        .containsExactly("ERROR scheduler/Unreachable" + object);
    assertThat(found(EXTENDER, new ExtenderReply(404, 404, "", List.of())))
        .containsExactly("ERROR scheduler/NotBerth" + object);
    assertThat(found(EXTENDER, new ExtenderReply(200, 503, "", List.of())))
        .containsExactly("WARN scheduler/NotReady" + object);
  }

  @Test
  void aNameOfAServiceIsJudgedByItsEndpoints() {
    String service = EXTENDER.replace("berth.example", "berth.berth-system.svc");
    var refused = ExtenderReply.failed("UnknownHostException: berth.berth-system.svc");
    assertThat(found(service, refused))
        .containsExactly(
            "ERROR scheduler/Unreachable extender http://berth.berth-system.svc:8888/extender");
    var facts =
        new Written()
            .scheduler(scheduler(service, refused))
            .with(
                Source.ENDPOINTS,
                "{metadata: {labels: {kubernetes.io/service-name: berth}}, endpoints: [{conditions:"
                    + " {ready: true}}]}")
            .facts();
    assertThat(wrong(SchedulerCheck.findings(facts))).isEmpty();
  }

  @Test
  void certificates() {
    String object = " extender http://berth.example:8888/extender";
    assertThat(found(EXTENDER, shown(90, "berth.example", true))).isEmpty();
    assertThat(found(EXTENDER, shown(10, "berth.example", true)))
        .containsExactly("WARN scheduler/CertificateEnds" + object);
    assertThat(found(EXTENDER, shown(-1, "berth.example", true)))
        .containsExactly("ERROR scheduler/CertificateExpired" + object);
    assertThat(found(EXTENDER, shown(90, "other.example", false)))
        .containsExactly(
            "ERROR scheduler/CertificateName" + object,
            "ERROR scheduler/CertificateIssuer" + object);
  }

  @Test
  void aConfigurationThatCannotBeReadIsSaid() {
    assertThat(wrong(SchedulerCheck.findings(new Written().facts())))
        .containsExactly("WARN scheduler/NoConfiguration kube-scheduler");
    var facts =
        new Written()
            .scheduler(new SchedulerFacts(FROM, Written.tree("{}"), "is not YAML: [", List.of()))
            .facts();
    assertThat(wrong(SchedulerCheck.findings(facts)))
        .containsExactly("ERROR scheduler/NotYaml " + FROM);
  }

  private static ExtenderReply shown(int days, String name, boolean trusted) {
    return new ExtenderReply(
        200,
        200,
        "",
        List.of(
            new ServerCertificate(
                NOW.minus(Duration.ofDays(300)),
                NOW.plus(Duration.ofDays(days)),
                List.of(name),
                trusted,
                trusted ? "" : "none of the CA's keys signed it")));
  }

  private static List<String> found(String extender, ExtenderReply reply) {
    return wrong(
        SchedulerCheck.findings(new Written().scheduler(scheduler(extender, reply)).facts()));
  }

  private static SchedulerFacts scheduler(String extender, ExtenderReply reply) {
    return new SchedulerFacts(
        FROM,
        Written.tree(
            "{profiles: [{schedulerName: berth, percentageOfNodesToScore: 100}], extenders: [{"
                + extender
                + "}]}"),
        "",
        List.of(reply));
  }

  private static ClusterFacts config(String yaml) {
    return new Written()
        .scheduler(new SchedulerFacts(FROM, Written.tree("{" + yaml + "}"), "", List.of()))
        .facts();
  }
}
