package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Pods of other schedulers, and of a scheduler that is called almost as ours.
final class OtherSchedulersTest {
  private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder = Path.of("");

  private static String pod(String name, String more, String spec) {
    return """
      - {apiVersion: v1, kind: Pod, metadata: {name: %s%s}, spec: {%scontainers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 2}}}]}}
    """
        .formatted(name, more, spec);
  }

  private String file(String... pods) throws IOException {
    return Files.writeString(
            folder.resolve("cluster.yaml"),
            """
            apiVersion: v1
            kind: List
            items:
              - {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "2"}}}
            """
                + String.join("", pods))
        .toString();
  }

  private String refused(String file, String name) {
    output.reset();
    assertThat(output.run(Explain::new, "-f", file, name)).isEqualTo(2);
    return output.wrong();
  }

  @Test
  void aPodThatIsNotOursIsToldAsSuch() throws IOException {
    String owner =
        ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: w}]";
    String file =
        file(
            pod("m10", "", "schedulerName: Berth, "),
            pod("m11", "", "schedulerName: breth, "),
            pod("web-0", owner, ""));
    assertThat(refused(file, "m10"))
        .isEqualTo(
            "berth: pod default/m10 is not Berth's: its scheduler is Berth; did you mean berth?\n");
    assertThat(refused(file, "default/m11"))
        .isEqualTo(
            "berth: pod default/m11 is not Berth's: its scheduler is breth; did you mean berth?\n");
    assertThat(refused(file, "web"))
        .isEqualTo(
            "berth: default/web is not Berth's: the scheduler of its pod web-0 is"
                + " default-scheduler\n");
    assertThat(refused(file, "nothing"))
        .isEqualTo("berth: there is no workload, and no pod or owner of one, called nothing\n");
  }

  @Test
  void soItIsOnAClusterThatRuns() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.answers.compute(
          "/api/v1/pods/2", (_, pods) -> String.valueOf(pods).replace("\"berth\"", "\"berht\""));
      assertThat(output.run(Explain::new, "--kubeconfig", cluster.kubeconfig(), "waits"))
          .isEqualTo(2);
      assertThat(output.wrong())
          .isEqualTo(
              "berth: pod team/waits is not Berth's: its scheduler is berht; did you mean"
                  + " berth?\n");
    }
  }

  /// Both are to be bound to the node at the same time.
  @Test
  void aSimulationTellsWhichPodsTookAPlaceAndListsThem() throws IOException {
    String file = file(pod("mine", "", "schedulerName: berth, "), pod("others", "", ""));
    var out = new ByteArrayOutputStream();
    int status =
        new CommandLine(new Simulate(new PrintStream(out, true, StandardCharsets.UTF_8)))
            .execute(file);
    String told = out.toString(StandardCharsets.UTF_8);
    assertThat(status).as(told).isZero();
    assertThat(told.lines().map(String::strip))
        .as(told)
        .contains("allocate     mine of queue default: mine on a")
        .contains("not bound  mine: others (default-scheduler) came to a first")
        .contains("a            others (2 GPUs, of default-scheduler)");
  }
}
