package dev.berth.controllers.claims;

import dev.berth.controllers.client.ClaimTemplateClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.ShareClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/// Creates the ResourceClaimTemplate that a gated pod names for its GPU share, in the namespace of
/// the pod. A template stays when its pods are gone: the next pod of the same size uses it.
///
/// A namespace and a size are created once in [#REST], however many pods name them; the claim of a
/// pod follows within milliseconds, as the resource claim controller of Kubernetes tries again.
public final class TemplateKeeper {
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(4, Duration.ofMillis(250), Duration.ofSeconds(30));

  /// A template that is deleted meanwhile is created again for pods that are seen after this.
  private static final Duration REST = Duration.ofSeconds(10);

  private final ClaimTemplateClient templates;
  private final Workers workers;
  private final KeyedLoop<ClaimKey> loop;
  private final TreeMap<ClaimKey, Instant> made = new TreeMap<>(); // guarded by this

  public TemplateKeeper(ClaimTemplateClient templates, Workers workers) {
    this.templates = templates;
    this.workers = workers;
    this.loop = new KeyedLoop<>("claim-templates", workers, PACE, this::create);
  }

  /// The watch shows a pod of Berth.
  public void seen(Pod pod) {
    if (!pod.isGated() || pod.isOver() || pod.life().leaving()) {
      return;
    }
    for (Pod.ClaimRef ref : pod.traits().claims()) {
      var key = new ClaimKey(pod.key().namespace(), ref.template());
      if (ref.isToCome() && ShareClaim.of(ref.template()).isPresent() && !isMade(key)) {
        loop.add(key);
      }
    }
  }

  private synchronized boolean isMade(ClaimKey key) {
    var now = workers.time().instant();
    made.values().removeIf(when -> !when.plus(REST).isAfter(now));
    return made.containsKey(key);
  }

  private Next create(ClaimKey key) throws ClientException {
    var share = ShareClaim.of(key.name());
    if (share.isPresent() && !isMade(key)) {
      templates.create(key.namespace(), share.get());
      synchronized (this) {
        made.put(key, workers.time().instant());
      }
    }
    return Next.done();
  }
}
