package dev.berth.engine.request;

import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Allocation;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClaim.Result;
import dev.berth.engine.model.NodeName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A `resource.k8s.io` ResourceClaim.
public final class ClaimManifest {
  /// On a claim that was made from a template for one pod.
  private static final String MADE_FOR = "resource.kubernetes.io/pod-claim-name";

  private ClaimManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DeviceClaim> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(ClaimManifest::claim);
  }

  private static DeviceClaim claim(Manifest manifest) {
    Head head = manifest.head();
    var asks = new ArrayList<Ask>();
    for (Tree request : manifest.spec().object("devices").objects("requests")) {
      asks.add(ask(request));
    }
    return new DeviceClaim(
        new ClaimKey(head.namespace(), head.name()),
        head.version(),
        GroupWords.queue(head.labels()),
        head.annotations().has(MADE_FOR) || isOfPod(head),
        asks,
        isDistinct(manifest.spec().object("devices")),
        allocation(manifest.status().object("allocation")));
  }

  private static boolean isOfPod(Head head) {
    for (Tree owner : head.metadata().objects("ownerReferences")) {
      if (owner.flag("controller") && owner.text("kind").equals("Pod")) {
        return true;
      }
    }
    return false;
  }

  private static Ask ask(Tree request) {
    var choices = new ArrayList<Choice>();
    for (Tree alternative : request.objects("firstAvailable")) {
      choices.add(choice(alternative));
    }
    if (choices.isEmpty()) {
      choices.add(choice(request.has("exactly") ? request.object("exactly") : request));
    }
    return new Ask(choices);
  }

  private static Choice choice(Tree request) {
    return new Choice(
        request.text("deviceClassName"),
        request.number("count", 1).orElse(1),
        request.text("allocationMode").equals("All"),
        request.flag("adminAccess"),
        DeviceSelectors.of(request),
        amounts(request.object("capacity").object("requests")));
  }

  private static boolean isDistinct(Tree devices) {
    for (Tree constraint : devices.objects("constraints")) {
      if (constraint.has("distinctAttribute")) {
        return true;
      }
    }
    return false;
  }

  /// The API server refuses what is no quantity.
  private static TreeMap<String, Long> amounts(Tree quantities) {
    var amounts = new TreeMap<String, Long>();
    quantities.eachText(
        (name, text) -> amounts.put(name, Quantities.units(text).orElse(Long.MAX_VALUE)));
    return amounts;
  }

  private static Allocation allocation(Tree allocation) {
    var results = new ArrayList<Result>();
    for (Tree result : allocation.object("devices").objects("results")) {
      if (!result.flag("adminAccess")) {
        results.add(
            new Result(
                new DeviceId(result.text("driver"), result.text("pool"), result.text("device")),
                amounts(result.object("consumedCapacity")),
                result.text("shareID")));
      }
    }
    return new Allocation(node(allocation), results);
  }

  /// Kube-scheduler names the one node by its `metadata.name`.
  private static NodeName node(Tree allocation) {
    for (Tree term : allocation.object("nodeSelector").objects("nodeSelectorTerms")) {
      for (Tree field : term.objects("matchFields")) {
        List<String> values = field.texts("values");
        if (field.text("key").equals("metadata.name") && values.size() == 1) {
          return new NodeName(values.getFirst());
        }
      }
    }
    return NodeName.NONE;
  }
}
