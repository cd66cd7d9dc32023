package dev.berth.engine.placement;

import dev.berth.engine.model.Alignment;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import dev.berth.engine.placement.NodeRules.Objection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What the topology manager of a node's kubelet says to a pod, where a NodeResourceTopology tells
/// its policy, its scope and its zones (Kubernetes, "Control Topology Management Policies on a
/// node").
///
/// What must be together is what each container asks for, init containers too (scope `container`),
/// or all that the pod does (scope `pod`): see [Alignment]. Of that counts what some zone has at
/// all; a resource that no zone lists is allocated without regard to zones.
///
/// * `single-numa-node`: one and the same zone must give all of it. What is more than any zone has
///   allocatable is refused there for ever.
/// * `restricted`: as few zones as can be must give it. What is more than all zones have
///   allocatable is refused there for ever; which zones are few enough is left to the kubelet.
/// * `best-effort` and `none`: no pod is refused.
///
/// What is available now never stands in the way: it is told seconds late, and does not know which
/// pods are leaving. It is a preference: see [Score].
final class NumaRules {
  private NumaRules() {}

  static Optional<Objection> objection(Alignment alignment, Numa numa) {
    if (numa.isNone()) {
      return Optional.empty();
    }
    for (Amounts asked : alignment.in(numa.scope())) {
      var flaw =
          switch (numa.policy()) {
            case SINGLE_NUMA_NODE -> beyondEachZone(asked, numa.zones());
            case RESTRICTED -> beyondAllZones(asked, numa.zones());
            case BEST_EFFORT, NONE -> Optional.<String>empty();
          };
      if (flaw.isPresent()) {
        return flaw.map(detail -> new Objection(Obstacle.NUMA, detail));
      }
    }
    return Optional.empty();
  }

  /// Whether, as far as is known, a zone has enough left for all that must be together. A node that
  /// tells nothing has.
  static boolean hasZonesNow(Alignment alignment, Numa numa) {
    if (numa.isNone()) {
      return true;
    }
    for (Amounts asked : alignment.in(numa.scope())) {
      if (!isInOne(asked, numa.zones(), Zone::available)) {
        return false;
      }
    }
    return true;
  }

  private static Optional<String> beyondEachZone(Amounts asked, List<Zone> zones) {
    if (isInOne(asked, zones, Zone::allocatable)) {
      return Optional.empty();
    }
    for (int i = 0; i < asked.size(); i++) {
      var resource = asked.resource(i);
      long most = most(resource, zones);
      if (most > 0 && asked.value(i) > most) {
        return Optional.of(
            "no zone has "
                + text(resource, asked.value(i))
                + ", the largest has "
                + resource.text(most));
      }
    }
    return Optional.of("no zone has " + text(asked, zones) + " together");
  }

  private static Optional<String> beyondAllZones(Amounts asked, List<Zone> zones) {
    var sum = Amounts.NONE;
    for (Zone zone : zones) {
      sum = sum.plus(zone.allocatable());
    }
    for (int i = 0; i < asked.size(); i++) {
      var resource = asked.resource(i);
      long there = sum.of(resource);
      if (there > 0 && asked.value(i) > there) {
        return Optional.of(
            "all zones together have "
                + text(resource, there)
                + ", not "
                + resource.text(asked.value(i)));
      }
    }
    return Optional.empty();
  }

  private static boolean isInOne(
      Amounts asked, List<Zone> zones, Function<Zone, Amounts> amountsOf) {
    for (Zone zone : zones) {
      if (isIn(asked, zones, amountsOf.apply(zone))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isIn(Amounts asked, List<Zone> zones, Amounts there) {
    for (int i = 0; i < asked.size(); i++) {
      var resource = asked.resource(i);
      if (asked.value(i) > there.of(resource) && most(resource, zones) > 0) {
        return false;
      }
    }
    return true;
  }

  private static long most(Resource resource, List<Zone> zones) {
    long most = 0;
    for (Zone zone : zones) {
      most = Math.max(most, zone.allocatable().of(resource));
    }
    return most;
  }

  private static String text(Amounts asked, List<Zone> zones) {
    var text = new StringBuilder();
    for (int i = 0; i < asked.size(); i++) {
      if (most(asked.resource(i), zones) > 0) {
        text.append(text.isEmpty() ? "" : " and ").append(text(asked.resource(i), asked.value(i)));
      }
    }
    return text.toString();
  }

  private static String text(Resource resource, long amount) {
    return resource.text(amount) + " " + resource;
  }
}
