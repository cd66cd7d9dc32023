package dev.berth.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import dev.berth.cli.lists.TreeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/// How manifests are printed: `-o`, for `kubectl apply -f -`.
final class ManifestOutput {
  enum Format {
    yaml,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "yaml",
      description = "Format: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.yaml;

  /// Prints YAML documents, or one `List` as JSON.
  ///
  /// @param manifests plain trees
  void print(List<Map<String, Object>> manifests, SingleLineOutput out) {
    var lines =
        switch (format) {
          case yaml -> yaml(manifests);
          case json -> TreeText.json(list(manifests));
        };
    lines.forEach(out::println);
  }

  private static List<String> yaml(List<Map<String, Object>> manifests) {
    var mapper =
        new ObjectMapper(
            YAMLFactory.builder()
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .stringQuotingChecker(new PlainWords())
                .build());
    var lines = new ArrayList<String>();
    for (Map<String, Object> manifest : manifests) {
      if (!lines.isEmpty()) {
        lines.add("---");
      }
      lines.addAll(TreeText.lines(mapper, manifest));
    }
    return lines;
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
