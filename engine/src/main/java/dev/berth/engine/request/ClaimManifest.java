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

/// A `resource.k8s.io` ResourceClaim. What it asks is compared with the devices of each node, so it
/// is bounded how much of that is understood, by all its requests together.
public final class ClaimManifest {
  private static final int MOST_CHOICES = 64;
  private static final int MOST_WORDS = 256;
  private static final String CHOICES =
      "a claim has at most 64 requests and alternatives. Take some out.";
  private static final String WORDS =
      "a claim has at most 256 selectors, equalities in them, and capacities. Take some out.";

  private static final String DEVICES =
      "kube-scheduler allocates at most 32 devices to a claim. Ask for fewer, or for the others by"
          + " another claim.";

  private ClaimManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DeviceClaim> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(ClaimManifest::claim);
  }

  private static DeviceClaim claim(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree devices = manifest.spec().object("devices");
    var asks = new ArrayList<Ask>();
    if (isBounded(devices)) {
      for (ManifestTree request : devices.objects("requests")) {
        asks.add(ask(request));
      }
    }
    long least = asks.stream().mapToLong(ClaimManifest::least).sum();
    boolean isTooMuch = least > DeviceClaim.MOST_DEVICES;
    if (isTooMuch) {
      devices.problem("requests", least + " devices", DEVICES);
    }
    return new DeviceClaim(
        new ClaimKey(head.namespace(), head.name()),
        head.version(),
        GroupLabels.queue(head.labels()),
        isTooMuch ? List.of() : givable(asks, least),
        isDistinct(devices),
        allocation(manifest.status().object("allocation")),
        manifest.problems().list());
  }

  private static long least(Ask ask) {
    return ask.choices().stream().mapToLong(Choice::least).min().orElse(0);
  }

  /// Without the alternatives that are too many devices for one claim, however few the other
  /// requests get.
  private static List<Ask> givable(List<Ask> asks, long least) {
    var givable = new ArrayList<Ask>(asks.size());
    for (Ask ask : asks) {
      long others = least - least(ask);
      givable.add(
          new Ask(
              ask.choices().stream()
                  .filter(choice -> others + choice.least() <= DeviceClaim.MOST_DEVICES)
                  .toList()));
    }
    return givable;
  }

  private static boolean isBounded(ManifestTree devices) {
    var choices = new FieldLimits(devices, "requests", MOST_CHOICES, CHOICES);
    var words = new FieldLimits(devices, "requests", MOST_WORDS, WORDS);
    for (ManifestTree request : devices.objects("requests")) {
      for (ManifestTree each : choices(request)) {
        if (!choices.allows(1) || !words.allows(words(each))) {
          return false;
        }
      }
    }
    return true;
  }

  private static long words(ManifestTree choice) {
    long words = amounts(choice.object("capacity").object("requests")).size();
    for (ManifestTree selector : choice.objects("selectors")) {
      words += DeviceSelectors.words(selector);
    }
    return words;
  }

  private static Ask ask(ManifestTree request) {
    return new Ask(choices(request).stream().map(ClaimManifest::choice).toList());
  }

  private static List<ManifestTree> choices(ManifestTree request) {
    var alternatives = request.objects("firstAvailable");
    return alternatives.isEmpty()
        ? List.of(request.has("exactly") ? request.object("exactly") : request)
        : alternatives;
  }

  private static Choice choice(ManifestTree request) {
    return new Choice(
        request.text("deviceClassName"),
        request.number("count", 1).orElse(1),
        request.text("allocationMode").equals("All"),
        request.flag("adminAccess"),
        DeviceSelectors.of(request),
        amounts(request.object("capacity").object("requests")));
  }

  private static boolean isDistinct(ManifestTree devices) {
    for (ManifestTree constraint : devices.objects("constraints")) {
      if (constraint.has("distinctAttribute")) {
        return true;
      }
    }
    return false;
  }

  /// The API server refuses what is no quantity.
  private static TreeMap<String, Long> amounts(ManifestTree quantities) {
    var amounts = new TreeMap<String, Long>();
    quantities.eachText(
        (name, text) -> amounts.put(name, Quantities.units(text).orElse(Long.MAX_VALUE)));
    return amounts;
  }

  private static Allocation allocation(ManifestTree allocation) {
    var results = new ArrayList<Result>();
    for (ManifestTree result : allocation.object("devices").objects("results")) {
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
  private static NodeName node(ManifestTree allocation) {
    for (ManifestTree term : allocation.object("nodeSelector").objects("nodeSelectorTerms")) {
      for (ManifestTree field : term.objects("matchFields")) {
        List<String> values = field.texts("values");
        if (field.text("key").equals("metadata.name") && values.size() == 1) {
          return new NodeName(values.getFirst());
        }
      }
    }
    return NodeName.NONE;
  }
}
