package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;

import dev.berth.engine.explain.Remedy;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.answer.OffersAnswer.Patch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Manifests of one line: the queue, GPUs a pod, and the names of the pods, as `default 8 a b`.
final class PlainManifests implements ManifestReader {
  @Override
  public SubmittedWorkload read(String manifests, String namespace) {
    String[] words = manifests.strip().split(" ");
    if (words.length < 3) {
      throw new ApiProblem(ApiProblem.Kind.INVALID, "manifest", "there is no workload; give Pod");
    }
    return new SubmittedWorkload() {
      @Override
      public String kind() {
        return "Pod";
      }

      @Override
      public String name() {
        return words[2];
      }

      @Override
      public String namespace() {
        return namespace;
      }

      @Override
      public List<PodGroup> groups(Snapshot beside) {
        var ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
        Arrays.stream(words)
            .skip(2)
            .map(
                name -> pod(name).in(namespace).queue(words[0]).devices(Integer.parseInt(words[1])))
            .forEach(each -> ledger.record(new Fact.PodSeen(each.gated().build(1))));
        return ledger.snapshot(beside.now()).groups();
      }

      @Override
      public List<Patch> patches(List<Remedy> remedies) {
        return remedies.getFirst() instanceof Remedy.FewerDevices(_, int to)
            ? List.of(new Patch("Pod", words[2], fewer(to)))
            : List.of();
      }
    };
  }

  private static Map<String, Object> fewer(int gpus) {
    var patch = new TreeMap<String, Object>();
    patch.put("gpus", gpus);
    patch.put("share", null); // is removed
    return patch;
  }
}
