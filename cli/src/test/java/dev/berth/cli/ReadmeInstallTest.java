package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/// The commands of README, *On a real cluster*, name files, objects and kinds that are there, in
/// the order in which `e2e/install` applies them.
final class ReadmeInstallTest {
  private static final Pattern FILE = Pattern.compile("-[fk] (\\S+)");

  private static List<String> commands() throws IOException {
    String page = Files.readString(Repository.root().resolve("README.md"));
    String section = page.substring(page.indexOf("## On a real cluster"));
    String block = section.substring(section.indexOf("```console\n"));
    var commands = new ArrayList<String>();
    for (String line : block.substring(11, block.indexOf("\n```")).split("\n")) {
      assertThat(line).startsWith("$ ");
      commands.add(line.substring(2).replaceAll(" +#.*", ""));
    }
    return commands;
  }

  @Test
  void filesAndFoldersAreThere() throws IOException {
    var named = new ArrayList<String>();
    for (String command : commands()) {
      var files = FILE.matcher(command);
      while (files.find()) {
        named.add(files.group(1));
        Path path = Repository.root().resolve(files.group(1));
        boolean isKustomization = command.contains("-k " + files.group(1));
        assertThat(isKustomization ? path.resolve("kustomization.yaml") : path).isRegularFile();
      }
    }
    assertThat(named)
        .containsExactly(
            "crds",
            "manifests/default",
            "examples/queues.yaml",
            "examples/topology.yaml",
            "examples/share.yaml",
            "examples/gang.yaml");
  }

  @Test
  void theImageIsBuiltByAProfileAndPutIntoTheDeployment() throws IOException {
    var commands = commands();
    String pom = read("cli/pom.xml");
    assertThat(commands.getFirst()).startsWith("./mvnw -Pimages ").contains(" -pl cli ");
    assertThat(pom).contains("<id>images</id>").contains("berth.image").contains("berth-image");
    String image = commands.getFirst().replaceAll(".*-Dberth.image=(\\S+).*", "$1");
    assertThat(commands)
        .contains(
            "kubectl -n berth-system set image deployment/berth berth=" + image,
            "kubectl -n berth-system rollout status deployment/berth");
    var deployments = new TreeSet<String>();
    for (Map<?, ?> object : documents("manifests/berth/deployment.yaml")) {
      if ("Deployment".equals(object.get("kind"))) {
        deployments.add(String.valueOf(below(object, "metadata").get("name")));
        if ("berth".equals(below(object, "metadata").get("name"))) {
          var spec = below(below(below(object, "spec"), "template"), "spec");
          assertThat(String.valueOf(spec.get("containers"))).contains("name=berth,");
        }
      }
    }
    assertThat(deployments).contains("berth");
    assertThat(read("manifests/default/kustomization.yaml")).contains("\n- ../berth\n");
    assertThat(read("manifests/base/namespace.yaml")).contains("name: berth-system");
  }

  @Test
  void namesAndKindsThatAreAskedForAreThoseOfTheExamples() throws IOException {
    assertThat(commands()).contains("kubectl describe pod half", "kubectl get bpg -A");
    var pods = new TreeSet<String>();
    for (Map<?, ?> object : documents("examples/share.yaml")) {
      if ("Pod".equals(object.get("kind"))) {
        pods.add(String.valueOf(below(object, "metadata").get("name")));
      }
    }
    assertThat(pods).contains("half");
    assertThat(read("crds/podgroups.yaml")).containsPattern("shortNames: \\[[^]]*\\bbpg\\b");
  }

  /// Kinds come before what is of them, and Berth before workloads.
  @Test
  void theOrderIsThatOfTheInstallation() throws IOException {
    var commands = String.join("\n", commands());
    String install = read("e2e/install");
    assertThat(commands)
        .containsSubsequence(
            "kubectl apply -k crds && kubectl wait --for condition=established crd --all",
            "kubectl apply -k manifests/default",
            "kubectl -n berth-system rollout status",
            "kubectl apply -f examples/queues.yaml",
            "kubectl apply -f examples/gang.yaml");
    assertThat(install)
        .containsSubsequence(
            "kubectl apply -k \"$1/crds\" && kubectl wait --for condition=established crd --all",
            "kubectl apply -k \"$1/manifests/$overlay\"");
  }

  private static String read(String file) throws IOException {
    return Files.readString(Repository.root().resolve(file));
  }

  private static Map<?, ?> below(Map<?, ?> tree, String key) {
    return tree.get(key) instanceof Map<?, ?> map ? map : Map.of();
  }

  private static List<Map<?, ?>> documents(String file) throws IOException {
    var documents = new ArrayList<Map<?, ?>>();
    for (Object document : new Yaml().loadAll(read(file))) {
      if (document instanceof Map<?, ?> map) {
        documents.add(map);
      }
    }
    return documents;
  }
}
