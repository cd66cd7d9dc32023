package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.io.IOException;

/// `ExtenderBindingArgs`: bind this incarnation of this pod to this node.
public record BindQuestion(PodKey pod, PodUid uid, NodeName node) {

  public static BindQuestion read(byte[] body) throws UnreadableQuestion {
    var said = new String[] {"", "", "", ""};
    try (JsonParser parser = Json.parser(new Cursor.Slice(body, 0, body.length))) {
      parser.nextToken();
      Json.object(
          parser,
          (field, value) -> {
            switch (field) {
              case "PodNamespace" -> said[0] = Json.text(value);
              case "PodName" -> said[1] = Json.text(value);
              case "PodUID" -> said[2] = Json.text(value);
              case "Node" -> said[3] = Json.text(value);
              default -> {} // fields of later versions
            }
          });
    } catch (IOException cause) {
      throw UnreadableQuestion.because("the body", cause);
    }
    if (said[1].isEmpty() || said[2].isEmpty() || said[3].isEmpty()) {
      throw new UnreadableQuestion("PodName, PodUID or Node is missing");
    }
    return new BindQuestion(
        new PodKey(said[0], said[1]), new PodUid(said[2]), new NodeName(said[3]));
  }
}
