package dev.berth.controllers.evictions;

import dev.berth.controllers.client.ClientException;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// Victims that the API server refuses or fails to evict: since when, its last answer, and what
/// ends that. Any thread.
public final class EvictionRefusals {
  private static final int LONGEST_ANSWER = 250;

  /// Since when a victim may not leave, and when it was asked last.
  private record Refused(Instant since, Instant last) {}

  /// Why the API server does not evict a pod.
  ///
  /// @param answer its words
  /// @param wayOut what ends that
  public record Refusal(String answer, String wayOut) {}

  private final LedgerReader ledger;
  private final Duration patience;
  private final Runnable news;

  /// Outlives the plan of a preemptor, or no patience would ever end.
  private final ConcurrentSkipListMap<PodUid, Refused> refused = new ConcurrentSkipListMap<>();

  /// What the API server answered last to the evictions that it refuses or fails to make.
  private final ConcurrentSkipListMap<PodUid, Refusal> answers = new ConcurrentSkipListMap<>();

  /// @param patience after which another plan is made
  /// @param news called when [#refusal] answers otherwise for some pod
  public EvictionRefusals(LedgerReader ledger, Duration patience, Runnable news) {
    this.ledger = ledger;
    this.patience = patience;
    this.news = news;
  }

  /// Of a pod that was asked to leave: why the API server does not evict it, if so.
  public Optional<Refusal> refusal(PodUid uid) {
    return Optional.ofNullable(answers.get(uid));
  }

  /// It was asked, and this was the answer.
  void note(Victim victim, ClientException failed) {
    String asked = "could not evict pod " + victim.pod() + ": ";
    String answer = String.valueOf(failed.getMessage());
    answer = answer.startsWith(asked) ? answer.substring(asked.length()) : answer;
    answer = answer.length() > LONGEST_ANSWER ? answer.substring(0, LONGEST_ANSWER) + "…" : answer;
    var refusal = new Refusal(answer, wayOut(victim, failed));
    if (!refusal.equals(answers.put(victim.uid(), refusal))) {
      news.run();
    }
  }

  /// An eviction is created, and nothing can be in a namespace that is being deleted. The words are
  /// those of kube-apiserver's admission plugin `NamespaceLifecycle`.
  private static boolean isOfNamespace(Victim victim, ClientException failed) {
    return String.valueOf(failed.getMessage())
        .contains("in namespace " + victim.pod().namespace() + " because it is being terminated");
  }

  private String wayOut(Victim victim, ClientException failed) {
    String span = Phrases.span(patience);
    String within = "; another plan is made after " + span;
    return switch (failed.kind()) {
      case NOT_NOW -> {
        String budget = ledger.budgetOf(victim.uid()).map(key -> " " + key).orElse("");
        yield "disruption budget"
            + budget
            + " allowing a disruption, or time"
            + (victim.againstBudgets()
                ? "; what is owed is taken: the pod is deleted against it after " + span
                : within);
      }
      case REFUSED ->
          isOfNamespace(victim, failed)
              ? "nothing to do: namespace "
                  + victim.pod().namespace()
                  + " is being deleted, and its pods leave with it"
                  + within
              : "the webhook, policy or role that this answer names allowing pods/eviction"
                  + within;
      case UNREACHABLE, CONFLICT, GONE ->
          "the API server, or the webhook that this answer names, answering again: Berth asks until"
              + " it does";
    };
  }

  /// It leaves, or is not asked any more: the last answer counts no more.
  void end(PodUid uid) {
    if (answers.remove(uid) != null) {
      news.run();
    }
  }

  /// It was refused again.
  ///
  /// @return when it was refused first
  Instant since(PodUid uid, Instant now) {
    return refused
        .merge(uid, new Refused(now, now), (before, _) -> new Refused(before.since(), now))
        .since();
  }

  /// Its next refusal is its first one.
  void restart(PodUid uid) {
    refused.remove(uid);
  }

  void forgetThoseBefore(Instant last) {
    refused.values().removeIf(each -> each.last().isBefore(last));
  }
}
