package dev.berth.controllers.cycle;

import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Learns from kube-scheduler: a planned node that it refuses is vetoed for that pod, in its words.
///
/// kube-scheduler tells by the pod's condition `PodScheduled=False, Unschedulable`. It writes only
/// when the words change, so each wording of a pod is taken once for one plan. A repeated refusal
/// in the same words shows in the extender's filter, to which the node is not offered; where that
/// proves nothing it shows as a plan that lapses, which [Cycle] turns into a veto.
public final class SchedulerRefusals {
  private static final int LONGEST = 1000;
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerRefusals.class);
  private static final int REMEMBERED = 20_000;

  /// kube-scheduler writes its words after it has asked Berth's filter.
  private static final Duration UNTIL_WORDS = Duration.ofSeconds(1);

  /// Room that was left a moment ago: kube-scheduler may not have seen it yet, and tries again when
  /// it does.
  private static final Duration UNTIL_ROOM_IS_SEEN = Duration.ofSeconds(3);

  private static final String NO_WORDS = "its own filters";

  /// Berth's own words in a refusal begin so; they refuse nothing but Berth's own waiting.
  private static final String OURS = "berth: ";

  private final LedgerPlans ledger;
  private final Workers workers;
  private final Duration vetoFor;
  private final Consumer<String> brokenGang;
  private final Map<PodUid, String> taken = remembering();

  /// What stood on a pod when it was seen last.
  private final Map<PodUid, String> last = remembering();

  /// What kube-scheduler said of pods that no node would change, until it says something else.
  private final Map<PodUid, String> rejected = remembering();

  /// Plans whose node was not offered, until they are judged.
  private final ConcurrentHashMap<PodUid, WrittenPlan> suspects = new ConcurrentHashMap<>();

  /// @param brokenGang told the name of a gang whose plans were given back, so that no member waits
  ///   in its barrier
  public SchedulerRefusals(
      LedgerPlans ledger, Workers workers, Duration vetoFor, Consumer<String> brokenGang) {
    this.ledger = ledger;
    this.brokenGang = brokenGang;
    this.workers = workers;
    this.vetoFor = vetoFor;
  }

  private static Map<PodUid, String> remembering() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<PodUid, String> eldest) {
        return size() > REMEMBERED;
      }
    };
  }

  /// A pod that is refused was seen, or one that has volumes. Called by the thread that delivers
  /// pods.
  public void seen(Pod pod) {
    String words = foreignWords(pod.life().refusal());
    boolean planned = !pod.written().plan().isNone();
    if (!planned || pod.isGated() || pod.isBound()) {
      return;
    }
    String before = last.getOrDefault(pod.uid(), words); // as a new leader finds it, it is old
    last.put(pod.uid(), words);
    if (pod.life().refusal().isEmpty()) {
      return;
    }
    if (isOfThePod(words)) {
      reject(pod, words);
      return;
    }
    if (rejected.remove(pod.uid()) != null) {
      ledger.relent(pod.uid());
    }
    if (words.isEmpty()) {
      return;
    }
    boolean news = !words.equals(taken.put(pod.uid(), words)); // of whichever plan
    WrittenPlan plan = pod.written().plan();
    if (!stands(pod, plan)) {
      if (!words.equals(before)) {
        letsGo(pod);
      }
      return;
    }
    if (!news) {
      return;
    }
    if (saysNoRoom(words)) {
      workers.at(
          workers.time().instant().plus(UNTIL_ROOM_IS_SEEN),
          () ->
              ledger
                  .pod(pod.uid())
                  .filter(later -> stands(later, plan) && !later.life().refusal().isEmpty())
                  .ifPresent(later -> refuse(later, plan, words)));
    } else {
      refuse(pod, plan, words);
    }
  }

  /// kube-scheduler has tried a pod again, which it does not while it waits for a volume of the
  /// pod. The plan that is kept for that is another than the one that is written, or over: so there
  /// is no node to be vetoed. Before its deadline these may be words of an earlier try, seen late.
  private void letsGo(Pod pod) {
    var plan =
        ledger.standing(pod.uid()).orElse(new Standing.Waiting())
                instanceof Standing.Planned(var kept, _)
            ? kept
            : pod.written().plan();
    if (!plan.until().isAfter(workers.time().instant()) && askedAnew(pod.uid())) {
      LOG.atInfo()
          .addKeyValue("pod", pod.key())
          .addKeyValue("node", plan.placement().node())
          .log("kube-scheduler waits for its volumes no more");
    }
  }

  /// kube-scheduler asks for a pod that has a plan. Any thread; returns at once.
  ///
  /// @return whether the plan is over with that: it was kept only because kube-scheduler waited for
  ///   a volume of the pod, and that is past
  public boolean askedAnew(PodUid pod) {
    return ledger.asksAnew(pod, workers.time().instant());
  }

  /// kube-scheduler rejects the pod itself, whatever the node: the pod is not planned, and takes no
  /// victims, until kube-scheduler says something else. It retries by itself, and once it accepts
  /// the pod it asks the extender, whose answer changes the condition.
  private void reject(Pod pod, String words) {
    if (words.equals(rejected.put(pod.uid(), words))) {
      return;
    }
    WrittenPlan plan = pod.written().plan();
    boolean stood = stands(pod, plan);
    LOG.atInfo()
        .addKeyValue("pod", pod.key())
        .addKeyValue("words", words)
        .log("pod rejected by kube-scheduler");
    ledger.refused(
        pod.uid(),
        new Problem(
            "the answer of kube-scheduler",
            words,
            "no node would change that. Correct what it names; the pod is planned again once"
                + " kube-scheduler accepts it."));
    if (stood && plan.size() > 1) {
      brokenGang.accept(plan.gang());
    }
  }

  /// Reasons of nodes are counted: `2 Insufficient cpu`. Before it looks at nodes kube-scheduler
  /// says one without a number: `persistentvolumeclaim "data" not found`.
  private static boolean isOfThePod(String words) {
    return !words.isEmpty() && !Character.isDigit(words.charAt(0));
  }

  /// kube-scheduler refused the node of this plan, and has not said so yet: if it does not, and
  /// does not offer the node after all, the words that are on the pod hold again. Any thread;
  /// returns at once.
  public void notOffered(PodUid uid, WrittenPlan plan) {
    if (!plan.equals(suspects.put(uid, plan))) {
      workers.at(workers.time().instant().plus(UNTIL_WORDS), () -> judge(uid, plan));
    }
  }

  /// kube-scheduler has come round: its view may lag behind Berth's for a moment. Any thread.
  public void offered(PodUid uid) {
    suspects.remove(uid);
  }

  private void judge(PodUid uid, WrittenPlan plan) {
    if (suspects.remove(uid, plan)) {
      ledger
          .pod(uid)
          .filter(pod -> stands(pod, plan))
          .ifPresent(pod -> {
            String words = foreignWords(pod.life().refusal());
            refuse(pod, plan, words.isEmpty() ? NO_WORDS : words);
          });
    }
  }

  /// Whether kube-scheduler only missed room, which comes and goes.
  private static boolean saysNoRoom(String words) {
    return words.contains("Insufficient ")
        || words.contains("Too many pods")
        || words.contains("free ports");
  }

  /// Whether this very plan is still kept for the pod.
  private boolean stands(Pod pod, WrittenPlan plan) {
    return ledger.standing(pod.uid()).orElse(new Standing.Waiting())
            instanceof Standing.Planned(var kept, _)
        && kept.equals(plan);
  }

  private void refuse(Pod pod, WrittenPlan plan, String words) {
    LOG.atInfo()
        .addKeyValue("pod", pod.key())
        .addKeyValue("node", plan.placement().node())
        .addKeyValue("words", words)
        .log("planned node refused by kube-scheduler");
    Instant until = workers.time().instant().plus(vetoFor);
    ledger.veto(pod.uid(), plan.placement().node(), words, until);
    if (plan.size() > 1) {
      brokenGang.accept(plan.gang());
    }
  }

  /// What kube-scheduler says besides Berth's own words; empty where it only repeats Berth.
  ///
  /// `0/3 nodes are available: 1 Insufficient cpu, 2 berth: planned on another node. preemption: …`
  static String foreignWords(String refusal) {
    int colon = refusal.indexOf(": ");
    if (refusal.isEmpty() || colon < 0) {
      return shortened(refusal);
    }
    int end = refusal.indexOf(". ", colon);
    var foreign = new StringBuilder();
    String list = refusal.substring(colon + 2, end < 0 ? refusal.length() : end);
    for (String part : list.split(", ", -1)) {
      if (!part.contains(OURS)) {
        foreign.append(foreign.isEmpty() ? "" : ", ").append(part);
      }
    }
    return shortened(foreign.toString());
  }

  /// kube-scheduler repeats what users write, such as the name of a volume, at any length.
  private static String shortened(String words) {
    return words.length() > LONGEST ? words.substring(0, LONGEST) + "…" : words;
  }
}
