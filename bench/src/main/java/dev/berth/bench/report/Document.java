package dev.berth.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Everything that a benchmark measured, as `target/bench/NAME.json`.
public final class Document {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Map<String, Object> content = new LinkedHashMap<>();

  public Document with(String key, Object value) {
    content.put(key, value);
    return this;
  }

  public Document with(List<Goal> goals) {
    return with(
        "goals",
        goals.stream().map(goal -> Map.of("goal", goal.text(), "met", goal.isMet())).toList());
  }

  public void write(Path file) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, JSON.writeValueAsString(content) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
