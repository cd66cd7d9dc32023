package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.PODS;
import static dev.berth.e2e.AdmissionRequests.TRIED;
import static dev.berth.e2e.AdmissionRequests.atHome;
import static dev.berth.e2e.AdmissionRequests.bind;
import static dev.berth.e2e.AdmissionRequests.may;
import static dev.berth.e2e.AdmissionRequests.pod;
import static dev.berth.e2e.AdmissionRequests.send;
import static dev.berth.e2e.AdmissionRequests.told;
import static dev.berth.e2e.AdmissionRequests.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.AdmissionPage.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What Berth's own account may do on a real kube-apiserver: by its rights, by Pod Security in its
/// namespace, and under the policy of `manifests/guarded` word by word as
/// `docs/operators/admission.md` tells it. No Berth runs.
class AccountRightsIT {
  private static final String AT_HOME = "/api/v1/namespaces/berth-system/pods" + TRIED;
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final JsonNode HOLDER =
      tree(
          """
          {'schedulerName': 'default-scheduler', 'nodeName': 'node-0000',
           'automountServiceAccountToken': false, 'labels': {'berth.dev/holder': 'true'},
           'annotations': {'berth.dev/holder-slot': '0'}}
          """);

  @AutoClose private static ControlPlane cluster;
  private static Api admin;
  private static Api berth;

  @BeforeAll
  static void up() throws IOException {
    cluster = ControlPlane.up(21500, "--nodes", "1", "--gpus", "1", "--no-berth", "--no-scheduler");
    admin = cluster.admin();
    berth = cluster.as("berth");
    var notes = "'labels': {'theirs': 'kept'}, 'annotations': {'theirs': 'kept'}";
    admin.createOrFail(PODS, pod("plain", tree("{" + notes + "}")));
    admin.createOrFail(PODS, pod("other", tree("{'schedulerName': 'other'}")));
    share();
    guard();
  }

  /// A pod that got a GPU by a Binding of Berth's.
  private static void share() {
    var half = tree("{'annotations': {'gpu-fraction': '0.5'}}");
    admin.createOrFail(PODS, pod("shared", half));
    var lifted = berth.patch(PODS + "/shared", "{\"spec\": {\"schedulingGates\": null}}");
    assertThat(lifted.isOk()).as("the gate: " + lifted.message()).isTrue();
    var devices = tree("{'annotations': {'berth.dev/gpu-devices': 'GPU-1'}}");
    var bound = bind(berth, "shared", devices, "");
    assertThat(bound.isOk()).as("the Binding: " + bound.message()).isTrue();
  }

  /// Applies `manifests/guarded`, and waits until kube-apiserver keeps it.
  private static void guard() throws IOException {
    var file = ControlPlane.root().resolve("manifests/guarded/hands.yaml");
    for (String document : Files.readString(file).split("\n---\n")) {
      boolean binding = document.contains("kind: ValidatingAdmissionPolicyBinding");
      String kind = "validatingadmissionpolic" + (binding ? "ybindings" : "ies");
      admin.createOrFail(POLICIES + kind, document);
    }
    var theirs = "{\"metadata\": {\"annotations\": {\"theirs\": \"changed\"}}}";
    ControlPlane.await(
        "Berth deletes shares alone",
        () -> berth.delete(PODS + "/plain?dryRun=All").message().contains("deletes shares alone"),
        () -> berth.delete(PODS + "/plain?dryRun=All").toString());
    ControlPlane.await(
        "Berth's hands are held",
        () ->
            berth
                .patch(PODS + "/plain" + TRIED, theirs)
                .message()
                .contains("Berth writes annotations and labels of berth.dev alone"),
        () -> berth.patch(PODS + "/plain" + TRIED, theirs).toString());
  }

  @Test
  void answersAsThePageTells() throws IOException {
    AdmissionPage.mustTell(AccountRightsIT::answer, "admission-by-berth.md");
  }

  private static String answer(Case row) {
    return isTriedHere(row) ? told(send(row, berth), "berth") : row.answer();
  }

  static boolean isTriedHere(Case row) {
    return row.table().contains("by Berth");
  }

  @Test
  void noRefusalIsMissingOnThePage() {
    var page = AdmissionPage.read();
    var sentences = RefusalSentences.of("manifests/guarded");
    assertThat(sentences).as("sentences over Berth's hands").hasSize(5);
    assertThat(sentences.stream().filter(sentence -> !page.says(sentence)))
        .as("sentences that no row of docs/operators/admission.md shows")
        .isEmpty();
  }

  @Test
  void whatItDoesNotDoIsLeftToEverybodyElse() {
    var theirs = tree("{'metadata': {'annotations': {'theirs': 'changed'}}}").toString();
    var changed = admin.patch(PODS + "/plain" + TRIED, theirs);
    assertThat(changed.isOk()).as("an administrator writes: " + changed.message()).isTrue();
  }

  @Test
  void itMakesHoldersAtHomeAndNowhereElse() {
    String holder = atHome("holder-x", HOLDER);
    var made = berth.create(AT_HOME, holder);
    assertThat(made.isOk()).as("a holder at home: " + made.message()).isTrue();
    assertThat(berth.create(PODS + TRIED, holder).message())
        .contains("cannot create resource \"pods\"");
  }

  @Test
  void itLabelsThePodOfTheLeaderAndChangesNothingElseOfIts() {
    String pods = "/api/v1/namespaces/berth-system/pods";
    var plain =
        "{'schedulerName': 'default-scheduler', 'labels': {'app.kubernetes.io/name': '%s'}}";
    admin.createOrFail(pods, atHome("berth-0", tree(plain.formatted("berth"))));
    admin.createOrFail(pods, atHome("stranger", tree(plain.formatted("stranger"))));
    String leads = tree("{'metadata': {'labels': {'berth.dev/leader': 'true'}}}").toString();
    String holds = tree("{'metadata': {'labels': {'berth.dev/holder': 'true'}}}").toString();
    String plans = tree("{'metadata': {'annotations': {'berth.dev/plan': 'x'}}}").toString();
    var labelled = berth.patch(pods + "/berth-0", leads);
    assertThat(labelled.isOk()).as("the label of the leader: " + labelled.message()).isTrue();
    String term = tree("{'metadata': {'annotations': {'berth.dev/term': 'x/1'}}}").toString();
    var marked = berth.patch(pods + "/berth-0", term);
    assertThat(marked.isOk()).as("its term: " + marked.message()).isTrue();
    for (String other : List.of(holds, plans)) {
      assertThat(berth.patch(pods + "/berth-0" + TRIED, other).message())
          .contains("Berth changes no pod of others");
    }
    assertThat(berth.patch(pods + "/stranger" + TRIED, leads).message())
        .contains("Berth changes no pod of others");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "volumes | [{'name': 'root', 'hostPath': {'path': '/'}}] | hostPath",
        "hostNetwork | true | hostNetwork=true",
        "securityContext | {'runAsNonRoot': true, 'runAsUser': 0, 'seccompProfile':"
            + " {'type': 'RuntimeDefault'}} | runAsUser=0"
      })
  void noHolderHasMoreThanItsNamespaceAllows(String field, String value, String refused) {
    ObjectNode strong = HOLDER.deepCopy();
    strong.set(field, tree(value));
    assertThat(berth.create(AT_HOME, atHome("holder-x", strong)).message())
        .contains("violates PodSecurity \"restricted", refused);
  }

  /// Resources with the name of one, if it matters: `leases/berth`.
  @ParameterizedTest
  @CsvSource({
    "list, policy, poddisruptionbudgets, '', true",
    "list, scheduling.run.ai, podgroups, '', true",
    "create, authentication.k8s.io, tokenreviews, '', true",
    "create, autoscaling.x-k8s.io, provisioningrequests, default, true",
    "patch, coordination.k8s.io, leases/berth, berth-system, true",
    "update, coordination.k8s.io, leases/berth, berth-system, false",
    "patch, coordination.k8s.io, leases/other, berth-system, false",
    "patch, coordination.k8s.io, leases/berth, kube-system, false",
    "delete, '', pods, default, true",
    "deletecollection, '', pods, default, false",
    "create, '', pods, default, false",
    "patch, '', configmaps/berth-shares, berth-system, true",
    "update, '', configmaps/berth-shares, berth-system, false",
    "patch, '', configmaps/berth, berth-system, false",
    "list, node.k8s.io, runtimeclasses, '', true",
    "list, nvidia.com, clusterpolicies, '', true",
    "list, nvidia.com, nvidiadrivers, '', false",
    "get, '', secrets/berth-ca, berth-system, true",
    "patch, '', secrets/berth-scheduler-tls, berth-system, true",
    "create, '', secrets, berth-system, true",
    "create, '', secrets, default, false",
    "get, '', secrets/other, berth-system, false",
    "get, '', secrets/berth-ca, kube-system, false",
    "list, '', secrets, berth-system, false",
    "update, '', secrets/berth-ca, berth-system, false",
    "delete, '', secrets/berth-ca, berth-system, false",
    "get, '', configmaps, kube-system, false",
    "get, '', podtemplates, default, false",
    "impersonate, '', users, '', false",
    "update, berth.dev, queues, '', false",
    "own, berth.dev, queues, '', false",
    "update, scheduling.run.ai, queues, '', false"
  })
  void itMayDoNoMoreThanItNeeds(
      String verb, String group, String resource, String namespace, boolean may) {
    assertThat(may(berth, verb, group, resource, namespace)).isEqualTo(may);
  }

  @Test
  void tenantsHaveGroupsAndNoQueues() {
    var alice = cluster.as("alice");
    assertThat(may(alice, "create", "berth.dev", "podgroups", "default")).as("groups").isTrue();
    assertThat(may(alice, "create", "berth.dev", "queues", "")).as("queues").isFalse();
  }
}
