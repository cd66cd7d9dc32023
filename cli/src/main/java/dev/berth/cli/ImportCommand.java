package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.berth.cli.imports.ForeignObjects;
import dev.berth.cli.imports.ImportCluster;
import dev.berth.cli.imports.ImportFiles;
import dev.berth.cli.imports.OtherScheduler;
import dev.berth.cli.imports.QueueImport;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth import`: queues of another scheduler as manifests of Berth's Queues.
@Command(
    name = "import",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:The queues were printed.",
      "2:They were not: an option is wrong, or the cluster or a file cannot be read."
    },
    mixinStandardHelpOptions = true,
    description =
        "Prints the queues of another scheduler as Queues of Berth, for kubectl apply -f -. Tells"
            + " on stderr what has no counterpart. Changes nothing.")
final class ImportCommand implements Callable<Integer> {
  enum Format {
    yaml,
    json
  }

  @Parameters(
      paramLabel = "SCHEDULER",
      description = "The other scheduler: ${COMPLETION-CANDIDATES}.")
  private OtherScheduler from = OtherScheduler.kai;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Manifests of its queues, or what kubectl get -o yaml wrote, or a folder of such files,"
              + " in the place of a cluster that runs.")
  private Optional<Path> file = Optional.empty();

  @Mixin private ClusterOptions running = new ClusterOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "yaml",
      description = "Format: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.yaml;

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ImportCommand() {
    this(System.out, System.err);
  }

  ImportCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try {
      var queues = QueueImport.of(objects());
      queues.notes().forEach(errors::println);
      text(queues.manifests()).lines().forEach(out::println);
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private ForeignObjects objects() throws ScenarioException {
    if (file.isPresent()) {
      if (running.areGiven()) {
        throw new ScenarioException(List.of(ClusterOptions.andAFile("--filename")));
      }
      return ImportFiles.read(file.get(), from);
    }
    try (var cluster = running.open()) {
      var found = ImportCluster.read(new ApiReads(cluster), from, cluster.server());
      found.leftOut().forEach(errors::say);
      return found.objects();
    } catch (ClientException failed) {
      throw new ScenarioException(List.of(String.valueOf(failed.getMessage())));
    }
  }

  private String text(List<Map<String, Object>> manifests) {
    try {
      return switch (format) {
        case yaml -> yaml(manifests);
        case json ->
            new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(list(manifests));
      };
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("not plain trees: " + manifests, impossible);
    }
  }

  private static String yaml(List<Map<String, Object>> manifests) throws JsonProcessingException {
    var mapper =
        new ObjectMapper(
            YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .stringQuotingChecker(new PlainWords())
                .build());
    var documents = new ArrayList<String>();
    for (Map<String, Object> manifest : manifests) {
      documents.add(mapper.writeValueAsString(manifest));
    }
    return String.join("---\n", documents);
  }

  /// Leaves quotes out around words that no reader of YAML takes for anything but a text.
  private static final class PlainWords extends StringQuotingChecker.Default {
    private static final long serialVersionUID = 1;
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

    @Override
    public boolean needToQuoteValue(String value) {
      return !WORD.matcher(value).matches() || super.needToQuoteValue(value);
    }
  }

  private static Map<String, Object> list(List<Map<String, Object>> manifests) {
    var list = new LinkedHashMap<String, Object>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("items", manifests);
    return list;
  }
}
