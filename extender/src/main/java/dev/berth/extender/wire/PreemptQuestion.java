package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonParser;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodUid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `ExtenderPreemptionArgs`: the victims that kube-scheduler proposes, for this pod, on each node.
public record PreemptQuestion(AskedPod pod, SortedMap<NodeName, Victims> proposed) {
  public PreemptQuestion {
    proposed = Collections.unmodifiableSortedMap(new TreeMap<>(proposed));
  }

  /// @param pods in kube-scheduler's order, which it reads again: the most important first
  /// @param budgetViolations `NumPDBViolations`
  public record Victims(List<PodUid> pods, long budgetViolations) {
    public Victims {
      pods = List.copyOf(pods);
    }
  }

  public static PreemptQuestion read(byte[] body) throws UnreadableQuestion {
    var cursor = new Cursor(body);
    var pod = new ArrayList<AskedPod>(1);
    var proposed = new TreeMap<NodeName, Victims>();
    cursor.open();
    for (String field = cursor.field(); !field.isEmpty(); field = cursor.field()) {
      var value = cursor.value();
      switch (field) {
        case "Pod" -> pod.add(AskedPod.read(value));
        case "NodeNameToVictims", "NodeNameToMetaVictims" -> victims(field, value, proposed);
        default -> {} // fields of later versions
      }
    }
    if (pod.isEmpty()) {
      throw new UnreadableQuestion("Pod is missing");
    }
    return new PreemptQuestion(pod.getFirst(), proposed);
  }

  private static void victims(
      String name, Cursor.Slice slice, SortedMap<NodeName, Victims> proposed)
      throws UnreadableQuestion {
    try (JsonParser parser = Json.parser(slice)) {
      parser.nextToken();
      Json.object(parser, (node, value) -> proposed.put(new NodeName(node), onNode(value)));
    } catch (IOException cause) {
      throw UnreadableQuestion.because(name, cause);
    }
  }

  private static Victims onNode(JsonParser victims) throws IOException {
    var pods = new ArrayList<PodUid>();
    var violations = new long[1];
    Json.object(
        victims,
        (field, value) -> {
          if (field.equals("Pods")) {
            Json.array(value, victim -> uidOf(victim, pods));
          } else if (field.equals("NumPDBViolations")) {
            violations[0] = value.getValueAsLong();
          }
        });
    return new Victims(pods, violations[0]);
  }

  /// `{"UID":"…"}` in the Meta form, a whole Pod otherwise.
  private static void uidOf(JsonParser victim, List<PodUid> pods) throws IOException {
    Json.object(
        victim,
        (field, value) -> {
          if (field.equals("UID")) {
            pods.add(new PodUid(Json.text(value)));
          } else if (field.equals("metadata")) {
            Json.object(
                value,
                (key, text) -> {
                  if (key.equals("uid")) {
                    pods.add(new PodUid(Json.text(text)));
                  }
                });
          }
        });
  }
}
