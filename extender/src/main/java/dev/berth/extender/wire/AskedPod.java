package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.io.IOException;
import java.util.Map;

/// The pod in a question: its key, and the whole of it only on demand.
public final class AskedPod {
  private final PodUid uid;
  private final PodKey key;
  private final Tree tree;

  /// The whole manifest, decoded when asked for.
  private interface Tree {
    Map<String, Object> read() throws UnreadableQuestion;
  }

  private AskedPod(PodUid uid, PodKey key, Tree tree) {
    this.uid = uid;
    this.key = key;
    this.tree = tree;
  }

  /// A pod that never was on a wire.
  public static AskedPod of(PodUid uid, PodKey key, Map<String, Object> manifest) {
    return new AskedPod(uid, key, () -> manifest);
  }

  static AskedPod read(Cursor.Slice slice) throws UnreadableQuestion {
    var who = new String[] {"", "", ""};
    try (JsonParser parser = Json.parser(slice)) {
      parser.nextToken();
      Json.object(parser, (field, pod) -> metadata(field, pod, who));
    } catch (IOException cause) {
      throw UnreadableQuestion.because("Pod", cause);
    }
    if (who[0].isEmpty() || who[2].isEmpty()) {
      throw new UnreadableQuestion("Pod has no metadata.uid or no metadata.name");
    }
    return new AskedPod(new PodUid(who[0]), new PodKey(who[1], who[2]), () -> whole(slice));
  }

  private static void metadata(String field, JsonParser pod, String[] who) throws IOException {
    if (!field.equals("metadata")) {
      return;
    }
    Json.object(
        pod,
        (name, value) -> {
          switch (name) {
            case "uid" -> who[0] = Json.text(value);
            case "namespace" -> who[1] = Json.text(value);
            case "name" -> who[2] = Json.text(value);
            default -> {} // the rest only when the whole is asked for
          }
        });
  }

  private static Map<String, Object> whole(Cursor.Slice slice) throws UnreadableQuestion {
    try {
      return Json.tree(slice);
    } catch (IOException cause) {
      throw UnreadableQuestion.because("Pod", cause);
    }
  }

  public PodUid uid() {
    return uid;
  }

  public PodKey key() {
    return key;
  }

  /// The manifest as a plain tree.
  public Map<String, Object> tree() throws UnreadableQuestion {
    return tree.read();
  }
}
