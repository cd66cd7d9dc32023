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
    var identity = new String[] {"", "", ""};
    try (JsonParser parser = Json.parser(slice)) {
      parser.nextToken();
      Json.object(parser, (field, pod) -> metadata(field, pod, identity));
    } catch (IOException cause) {
      throw UnreadableQuestion.because("Pod", cause);
    }
    if (identity[0].isEmpty() || identity[2].isEmpty()) {
      throw new UnreadableQuestion("Pod has no metadata.uid or no metadata.name");
    }
    return new AskedPod(
        new PodUid(identity[0]), new PodKey(identity[1], identity[2]), () -> whole(slice));
  }

  private static void metadata(String field, JsonParser pod, String[] identity) throws IOException {
    if (!field.equals("metadata")) {
      return;
    }
    Json.object(
        pod,
        (name, value) -> {
          switch (name) {
            case "uid" -> identity[0] = Json.text(value);
            case "namespace" -> identity[1] = Json.text(value);
            case "name" -> identity[2] = Json.text(value);
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
