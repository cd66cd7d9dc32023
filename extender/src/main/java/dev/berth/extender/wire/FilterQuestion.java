package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.engine.model.NodeName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// `ExtenderArgs`: which of these nodes for this pod? Filter and prioritize ask it alike.
///
/// @param wholeNodes it came with Node objects instead of names (`nodeCacheCapable: false`)
public record FilterQuestion(AskedPod pod, NodeNames nodes, boolean wholeNodes) {

  public static FilterQuestion read(byte[] body, KnownNames known) throws UnreadableQuestion {
    var cursor = new Cursor(body);
    var pod = new ArrayList<AskedPod>(1);
    var names = NodeNames.of(List.of());
    boolean wholeNodes = false;
    cursor.open();
    for (String field = cursor.field(); !field.isEmpty(); field = cursor.field()) {
      if (field.equals("NodeNames") && cursor.peek() == '[') {
        names = known.read(cursor);
        wholeNodes = false;
        continue;
      }
      var value = cursor.value();
      if (field.equals("Pod")) {
        pod.add(AskedPod.read(value));
      } else if (field.equals("Nodes") && !value.isNull() && names.size() == 0) {
        names = namesOf(value);
        wholeNodes = true;
      }
    }
    if (pod.isEmpty()) {
      throw new UnreadableQuestion("Pod is missing");
    }
    return new FilterQuestion(pod.getFirst(), names, wholeNodes);
  }

  private static NodeNames namesOf(Cursor.Slice nodes) throws UnreadableQuestion {
    var names = new ArrayList<NodeName>();
    try (JsonParser parser = Json.parser(nodes)) {
      parser.nextToken();
      Json.object(
          parser,
          (field, value) -> {
            if (field.equals("items")) {
              Json.array(value, node -> nameOf(node, names));
            }
          });
    } catch (IOException cause) {
      throw UnreadableQuestion.because("Nodes", cause);
    }
    return NodeNames.of(names);
  }

  private static void nameOf(JsonParser node, List<NodeName> names) throws IOException {
    Json.object(
        node,
        (field, metadata) -> {
          if (field.equals("metadata")) {
            Json.object(
                metadata,
                (key, value) -> {
                  if (key.equals("name")) {
                    names.add(new NodeName(Json.text(value)));
                  }
                });
          }
        });
  }
}
