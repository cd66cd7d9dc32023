package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueInPool;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A `berth.dev/v1alpha1` Queue.
public final class QueueManifest {
  private static final String UNLIMITED = "unlimited";
  private static final int DEFAULT_PRIORITY = 100;
  private static final List<String> FIELDS =
      List.of(
          "parent",
          "priority",
          "quota",
          "limit",
          "weight",
          "pools",
          "preemptMinRuntime",
          "reclaimMinRuntime",
          "maxRuntime",
          "maxRuntimeWarning",
          "idle",
          "namespaceSelector");

  private static final List<String> POOL_FIELDS = List.of("name", "quota", "limit", "weight");

  private QueueManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Queue> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(QueueManifest::queue);
  }

  /// What its status keeps of the past; empty only for a tree without `metadata.name`.
  public static Optional<PastUse> pastUse(Map<?, ?> tree) {
    return Manifest.open(tree).map(QueueManifest::pastUse);
  }

  private static PastUse pastUse(Manifest manifest) {
    var status = manifest.status();
    var fractions = new TreeMap<Resource, Double>();
    status
        .object("usage")
        .eachText((key, text) ->
            Quantities.exact(text.trim())
                .ifPresent(part -> fractions.put(Requests.resource(key), part.doubleValue())));
    return new PastUse(
        new QueueName(manifest.head().name()),
        manifest.head().version(),
        status.time("usageUntil"),
        fractions);
  }

  private static Queue queue(Manifest manifest) {
    ObjectMeta head = manifest.head();
    ManifestTree spec = manifest.spec(FIELDS);
    String parent = spec.text("parent");
    var quota = amounts(spec.object("quota"), true);
    return new Queue(
        new QueueName(head.name()),
        head.version(),
        head.metadata().number("generation", 0).orElse(0),
        head.created(),
        parent.isEmpty() ? QueueName.NONE : new QueueName(parent),
        spec.number("priority", Integer.MIN_VALUE).orElse(DEFAULT_PRIORITY),
        Amounts.of(quota),
        zeros(quota),
        amounts(spec.object("limit"), false),
        weights(spec.object("weight")),
        pools(spec),
        Durations.read(spec, "preemptMinRuntime", false),
        Durations.read(spec, "reclaimMinRuntime", false),
        Durations.read(spec, "maxRuntime", false),
        Durations.read(spec, "maxRuntimeWarning", false),
        IdleRuleManifest.read(head.name(), spec),
        spec.has("namespaceSelector")
            ? Optional.of(LabelSelectors.read(spec.object("namespaceSelector")))
            : Optional.empty(),
        manifest.problems().list());
  }

  private static SortedMap<String, QueueInPool> pools(ManifestTree spec) {
    var pools = new TreeMap<String, QueueInPool>();
    for (ManifestTree tree : spec.objects("pools")) {
      tree.onlyKnows(POOL_FIELDS);
      String name = tree.text("name");
      var quota = amounts(tree.object("quota"), true);
      var pool =
          new QueueInPool(
              tree.has("quota") ? Optional.of(Amounts.of(quota)) : Optional.empty(),
              zeros(quota),
              tree.has("limit")
                  ? Optional.of(amounts(tree.object("limit"), false))
                  : Optional.empty(),
              tree.has("weight") ? Optional.of(weights(tree.object("weight"))) : Optional.empty());
      if (pools.putIfAbsent(name, pool) != null) {
        tree.problem("name", name, "each pool is named once; the first counts.");
      }
    }
    return pools;
  }

  private static SortedSet<Resource> zeros(SortedMap<Resource, Long> amounts) {
    var zeros = new TreeSet<Resource>();
    amounts.forEach((resource, amount) -> {
      if (amount == 0) {
        zeros.add(resource);
      }
    });
    return zeros;
  }

  private static SortedMap<Resource, Long> amounts(ManifestTree list, boolean quota) {
    var amounts = new TreeMap<Resource, Long>();
    list.eachText((key, text) -> {
      if (text.trim().equals(UNLIMITED)) {
        if (quota) {
          amounts.put(Requests.resource(key), Queue.UNLIMITED);
        }
        return;
      }
      OptionalLong amount = amount(key, text.trim());
      if (amount.isEmpty() || amount.getAsLong() < 0) {
        list.problem(key, text, "it is an amount like 8, \"500m\" or \"64Gi\", or \"unlimited\".");
      } else {
        amounts.put(Requests.resource(key), amount.getAsLong());
      }
    });
    return amounts;
  }

  /// Devices are counted in thousandths: `gpu: 0.5` is half a device.
  private static OptionalLong amount(String key, String text) {
    return key.equals("gpu") || key.startsWith("gpu/")
        ? Quantities.milli(text)
        : Quantities.amount(Requests.resource(key), text);
  }

  private static SortedMap<Resource, Double> weights(ManifestTree list) {
    var weights = new TreeMap<Resource, Double>();
    list.eachText((key, text) -> {
      double weight =
          Quantities.exact(text.trim())
              .map(Number::doubleValue)
              .filter(value -> value >= 0 && value <= 1e9)
              .orElse(-1.0);
      if (weight < 0) {
        list.problem(key, text, "a weight is a number from 0 (nothing over quota) upwards.");
      } else {
        weights.put(Requests.resource(key), weight);
      }
    });
    return weights;
  }
}
