package dev.berth.controllers.cycle;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Learns from kube-scheduler: a planned node that it refuses is vetoed for that pod, in its words.
///
/// kube-scheduler tells by the pod's condition `PodScheduled=False, Unschedulable`. It writes only
/// when the words change, so each wording of a pod is taken once for one plan; a repeated refusal
/// in the same words shows as a plan that lapses, which [Cycle] turns into a veto.
public final class Refusals {
  private static final Logger LOG = LoggerFactory.getLogger(Refusals.class);
  private static final int REMEMBERED = 20_000;

  /// Our own words in a refusal begin so; they refuse nothing but our own waiting.
  private static final String OURS = "berth: ";

  private final Ledger ledger;
  private final InstantSource time;
  private final Duration vetoFor;
  private final Consumer<String> brokenGang;
  private final Map<PodUid, String> taken =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PodUid, String> eldest) {
          return size() > REMEMBERED;
        }
      };

  /// @param brokenGang told the name of a gang whose plans were given back, so that nobody waits in
  ///   its barrier
  public Refusals(
      Ledger ledger, InstantSource time, Duration vetoFor, Consumer<String> brokenGang) {
    this.ledger = ledger;
    this.brokenGang = brokenGang;
    this.time = time;
    this.vetoFor = vetoFor;
  }

  /// A pod was seen. Called by the thread that delivers pods.
  public void seen(Pod pod) {
    String words = foreignWords(pod.life().refusal());
    if (words.isEmpty() || pod.isGated() || pod.isBound()) {
      return;
    }
    if (ledger.standing(pod.uid()).orElse(new Standing.Waiting())
        instanceof Standing.Planned(var plan, _)) {
      if (!plan.equals(pod.written().plan()) || words.equals(taken.put(pod.uid(), words))) {
        return;
      }
      LOG.atInfo()
          .addKeyValue("pod", pod.key())
          .addKeyValue("node", plan.placement().node())
          .addKeyValue("words", words)
          .log("planned node refused by kube-scheduler");
      ledger.veto(pod.uid(), plan.placement().node(), words, time.instant().plus(vetoFor));
      if (plan.size() > 1) {
        brokenGang.accept(plan.gang());
      }
    }
  }

  /// What kube-scheduler says besides our own words; empty where it only repeats us.
  ///
  /// `0/3 nodes are available: 1 Insufficient cpu, 2 berth: planned on another node. preemption: …`
  static String foreignWords(String refusal) {
    int colon = refusal.indexOf(": ");
    if (refusal.isEmpty() || colon < 0) {
      return refusal;
    }
    int end = refusal.indexOf(". ", colon);
    var foreign = new StringBuilder();
    String list = refusal.substring(colon + 2, end < 0 ? refusal.length() : end);
    for (String part : list.split(", ", -1)) {
      if (!part.contains(OURS)) {
        foreign.append(foreign.isEmpty() ? "" : ", ").append(part);
      }
    }
    return foreign.toString();
  }
}
