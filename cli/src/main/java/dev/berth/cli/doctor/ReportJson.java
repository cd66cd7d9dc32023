package dev.berth.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.engine.injection.InjectionMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The report for programs. The shape is documented in docs/operators/doctor.md; fields are added,
/// never changed or removed, within one `version`.
public final class ReportJson {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII) // what steers a terminal, too
          .build();

  private ReportJson() {}

  public static String text(Report report) {
    var root = new LinkedHashMap<String, Object>();
    var facts = report.facts();
    root.put("version", 1);
    root.put("server", facts.server());
    root.put("kubernetes", facts.version());
    root.put("preflight", facts.preflight());
    root.put("checkedAt", facts.now().toString());
    root.put("complete", report.complete());
    root.put("exitStatus", report.exitStatus());
    root.put(
        "counts",
        ordered(
            "error", report.count(Severity.ERROR),
            "warn", report.count(Severity.WARN),
            "ok", report.count(Severity.OK)));
    root.put("nodes", GpuNodes.of(facts).nodes().stream().map(ReportJson::node).toList());
    root.put("findings", report.findings().stream().map(ReportJson::finding).toList());
    return written(root);
  }

  /// Where nothing could be read.
  public static String failure(String why) {
    var root = new LinkedHashMap<String, Object>();
    root.put("version", 1);
    root.put("complete", false);
    root.put("exitStatus", Report.UNREADABLE);
    root.put("failure", why);
    root.put("nodes", List.of());
    root.put("findings", List.of());
    return written(root);
  }

  private static Map<String, Object> node(GpuNodes.Guessed node) {
    return ordered(
        "name",
        node.node().name(),
        "gpus",
        node.node().gpus(),
        "platform",
        word(node.node().platform()),
        "defaultRuntime",
        word(node.defaultRuntime()),
        "runtimeClass",
        node.guess().runtimeClass(),
        "modes",
        node.guess().modes().stream().map(InjectionMode::word).toList(),
        "because",
        node.guess().because(),
        "proof",
        word(node.proof()),
        "provenMode",
        node.proof() == GpuNodes.Proof.PROVEN ? node.mode() : "");
  }

  private static Map<String, Object> finding(Finding finding) {
    return ordered(
        "severity",
        finding.severity().name(),
        "check",
        finding.check(),
        "object",
        finding.object(),
        "sentence",
        finding.sentence(),
        "wayOut",
        finding.wayOut());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object;
  }

  private static String written(Map<String, Object> root) {
    try {
      return MAPPER.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("not a plain tree: " + root, impossible);
    }
  }
}
