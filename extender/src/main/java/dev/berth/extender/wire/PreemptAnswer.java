package dev.berth.extender.wire;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// `ExtenderPreemptionResult`: what of the proposal stands; a node left out is rejected.
public record PreemptAnswer(SortedMap<NodeName, Victims> kept) {
  private static final byte[] HEAD = Output.raw("{\"NodeNameToMetaVictims\":{");
  private static final byte[] PODS = Output.raw(":{\"Pods\":[");
  private static final byte[] UID = Output.raw("{\"UID\":");
  private static final byte[] VIOLATIONS = Output.raw("],\"NumPDBViolations\":");

  public PreemptAnswer {
    kept = Collections.unmodifiableSortedMap(new TreeMap<>(kept));
  }

  public static PreemptAnswer none() {
    return new PreemptAnswer(new TreeMap<>());
  }

  /// Always the Meta form, whatever form was asked in.
  public byte[] bytes() {
    var out = new Output(256).put(HEAD);
    boolean first = true;
    for (var entry : kept.entrySet()) {
      if (!first) {
        out.put(',');
      }
      first = false;
      put(out.put(Output.quoted(entry.getKey().value())).put(PODS), entry.getValue());
    }
    return out.put('}').put('}').bytes();
  }

  private static void put(Output out, Victims victims) {
    boolean first = true;
    for (PodUid uid : victims.pods()) {
      if (!first) {
        out.put(',');
      }
      first = false;
      out.put(UID).put(Output.quoted(uid.value())).put('}');
    }
    out.put(VIOLATIONS).put(Output.raw(Long.toString(victims.budgetViolations()))).put('}');
  }
}
