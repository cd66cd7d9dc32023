package dev.berth.cli.lists;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.List;

/// Plain trees of maps, lists, texts and numbers, as lines.
public final class TreeText {
  private TreeText() {}

  /// Indented JSON.
  public static List<String> json(Object tree) {
    return lines(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT), tree);
  }

  /// @param mapper of the format, as YAML
  public static List<String> lines(ObjectMapper mapper, Object tree) {
    try {
      return mapper.writeValueAsString(tree).lines().toList();
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("not a plain tree: " + tree, impossible);
    }
  }
}
