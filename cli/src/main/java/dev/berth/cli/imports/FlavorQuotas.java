package dev.berth.cli.imports;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/// `resourceGroups` of a ClusterQueue or Cohort of Kueue, summed over the flavors of each resource.
/// GPUs in a flavor of one model count for `gpu/MODEL`, too.
final class FlavorQuotas {
  private final FlavorModels models;
  private final QueueAmounts nominal = new QueueAmounts();
  private final QueueAmounts borrowing = new QueueAmounts();

  /// The flavors of each resource, and those of them that bound what is borrowed.
  private final TreeMap<Resource, TreeSet<String>> flavors = new TreeMap<>();

  private final TreeMap<Resource, TreeSet<String>> bounded = new TreeMap<>();

  private FlavorQuotas(FlavorModels models) {
    this.models = models;
  }

  /// @param borrows whether there is a cohort to borrow from and to lend to
  static FlavorQuotas read(ForeignFields spec, FlavorModels models, boolean borrows) {
    var quotas = new FlavorQuotas(models);
    var names = new ArrayList<String>();
    for (ForeignFields group : spec.objects("resourceGroups")) {
      group.value("coveredResources"); // the flavors list the same
      for (ForeignFields flavor : group.objects("flavors")) {
        String name = flavor.text("name");
        models.check(flavor, name);
        for (ForeignFields resource : flavor.objects("resources")) {
          quotas.add(name, resource, borrows);
          names.add(resource.text("name"));
        }
      }
    }
    ResourceNames.tellSum(spec, "resourceGroups", names);
    quotas.tellFlavors(spec);
    return quotas;
  }

  private void add(String flavor, ForeignFields of, boolean borrows) {
    String name = of.text("name");
    var resource = ResourceNames.ofQueue(name);
    if (resource.isEmpty()) {
      of.note("name", "is " + name + ", which has no counterpart: " + ResourceNames.RULE);
      for (String amount : new String[] {"nominalQuota", "borrowingLimit", "lendingLimit"}) {
        of.text(amount);
      }
      return;
    }
    tellBounds(of, borrows, name + " in flavor " + flavor);
    long amount = of.amount("nominalQuota", resource.get()).orElse(0);
    var limit = borrows ? of.amount("borrowingLimit", resource.get()) : OptionalLong.empty();
    var charged = new QueueAmounts(); // of one flavor: of the resource, its model, MIG as gpu
    var bound = new QueueAmounts();
    charged.addAsked(name, resource.get(), amount, of.text("nominalQuota"));
    limit.ifPresent(most -> bound.addAsked(name, resource.get(), most, of.text("borrowingLimit")));
    if (resource.get().equals(Resource.GPU)) {
      models
          .of(flavor)
          .map(Resource::gpuOfModel)
          .ifPresent(model -> {
            charged.add(model, amount, of.text("nominalQuota"));
            limit.ifPresent(most -> bound.add(model, most, of.text("borrowingLimit")));
          });
    }
    nominal.addAll(charged);
    borrowing.addAll(bound);
    for (Resource each : charged.resources()) {
      flavors.computeIfAbsent(each, _ -> new TreeSet<>()).add(flavor);
      if (limit.isPresent()) {
        bounded.computeIfAbsent(each, _ -> new TreeSet<>()).add(flavor);
      }
    }
  }

  private static void tellBounds(ForeignFields of, boolean borrows, String what) {
    of.lost("lendingLimit", "Berth lends all idle quota of " + what + ", and reclaims it.");
    if (!borrows) {
      of.lost("borrowingLimit", "there is no cohort to borrow " + what + " from.");
    }
  }

  /// Several flavors of a resource are a sum; of GPUs models tell them apart.
  private void tellFlavors(ForeignFields spec) {
    flavors.forEach((resource, names) -> {
      boolean apart =
          resource.isGpuOfQueues() && (!resource.equals(Resource.GPU) || models.tellApart(names));
      if (names.size() > 1 && !apart) {
        spec.note(
            "resourceGroups",
            "has "
                + resource
                + " in the flavors "
                + String.join(", ", names)
                + ": Berth counts their sum, whatever node a workload is on.");
      }
      int limits = bounded.getOrDefault(resource, new TreeSet<>()).size();
      if (limits > 0 && limits < names.size()) {
        spec.note(
            "resourceGroups",
            "has a borrowingLimit of "
                + resource
                + " in some flavors alone: the sum has no limit.");
      }
    });
  }

  QueueAmounts nominal() {
    return nominal;
  }

  /// The flavors in which there is a quota, by resource.
  TreeMap<Resource, TreeSet<String>> flavors() {
    return flavors;
  }

  /// What may be borrowed of a resource; unlimited where one of these flavors sets no bound.
  long borrowing(Resource resource, TreeSet<String> ofFlavors) {
    boolean isBounded = bounded.getOrDefault(resource, new TreeSet<>()).containsAll(ofFlavors);
    return isBounded ? borrowing.of(resource) : Queue.UNLIMITED;
  }
}
