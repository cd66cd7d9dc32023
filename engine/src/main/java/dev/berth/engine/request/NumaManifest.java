package dev.berth.engine.request;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Fact.NumaSeen;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A `topology.node.k8s.io/v1alpha2` NodeResourceTopology: of the node of its name. Exporters write
/// it (node-feature-discovery, resource-topology-exporter), not users: one that is invalid says
/// nothing of its node, rather than something wrong.
///
/// Read are `attributes` (`topologyManagerPolicy`, `topologyManagerScope`), where there are none of
/// these the deprecated `topologyPolicies`, and of `zones` of type `Node` their resources.
public final class NumaManifest {
  private static final String POLICY = "topologyManagerPolicy";
  private static final String SCOPE = "topologyManagerScope";
  private static final String POLICY_RULE =
      "it is single-numa-node, restricted, best-effort or none. The exporter writes what the"
          + " kubelet is configured to.";
  private static final String SCOPE_RULE =
      "it is container or pod. The exporter writes what the kubelet is configured to.";
  private static final String AMOUNT_RULE =
      "it is an amount of 0 or more, like \"4\" or \"64Gi\". The exporter writes it.";
  private static final String OLD_RULE =
      "it is one of the policies of topology.node.k8s.io/v1alpha2, like"
          + " SingleNUMANodeContainerLevel. Let the exporter write the attribute "
          + POLICY
          + ".";

  private final Manifest manifest;

  private NumaManifest(Manifest manifest) {
    this.manifest = manifest;
  }

  /// @param problems what in it is invalid; then the node is seen as one without zones
  public record Reading(NumaSeen seen, List<Problem> problems) {
    public Reading {
      problems = List.copyOf(problems);
    }
  }

  /// Empty only for a tree without `metadata.name`.
  public static Optional<Reading> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(manifest -> new NumaManifest(manifest).reading());
  }

  private Reading reading() {
    ObjectMeta head = manifest.head();
    Numa numa = numa();
    var problems = manifest.problems().list();
    var told = problems.isEmpty() ? numa : Numa.NONE;
    return new Reading(new NumaSeen(new NodeName(head.name()), head.version(), told), problems);
  }

  private Numa numa() {
    ManifestTree root = manifest.root();
    var policy = Policy.NONE;
    var scope = Scope.CONTAINER;
    boolean told = false;
    for (ManifestTree attribute : root.objects("attributes")) {
      String name = attribute.text("name");
      if (name.equals(POLICY)) {
        policy = policy(attribute);
        told = true;
      } else if (name.equals(SCOPE)) {
        scope = scope(attribute);
        told = true;
      }
    }
    return told ? new Numa(policy, scope, zones(root)) : asBefore(root);
  }

  private static Policy policy(ManifestTree attribute) {
    String value = attribute.text("value");
    return switch (value) {
      case "single-numa-node" -> Policy.SINGLE_NUMA_NODE;
      case "restricted" -> Policy.RESTRICTED;
      case "best-effort" -> Policy.BEST_EFFORT;
      case "none" -> Policy.NONE;
      default -> {
        attribute.problem(POLICY, value, POLICY_RULE);
        yield Policy.NONE;
      }
    };
  }

  private static Scope scope(ManifestTree attribute) {
    String value = attribute.text("value");
    return switch (value) {
      case "container" -> Scope.CONTAINER;
      case "pod" -> Scope.POD;
      default -> {
        attribute.problem(SCOPE, value, SCOPE_RULE);
        yield Scope.CONTAINER;
      }
    };
  }

  /// What the attributes say was said by one word.
  private static Numa asBefore(ManifestTree root) {
    var words = root.texts("topologyPolicies");
    String word = words.isEmpty() ? "None" : words.getFirst();
    var policy =
        switch (word) {
          case "SingleNUMANodeContainerLevel", "SingleNUMANodePodLevel" -> Policy.SINGLE_NUMA_NODE;
          case "Restricted", "RestrictedContainerLevel", "RestrictedPodLevel" -> Policy.RESTRICTED;
          case "BestEffort", "BestEffortContainerLevel", "BestEffortPodLevel" -> Policy.BEST_EFFORT;
          case "None" -> Policy.NONE;
          default -> {
            root.problem("topologyPolicies[0]", word, OLD_RULE);
            yield Policy.NONE;
          }
        };
    return new Numa(policy, word.endsWith("PodLevel") ? Scope.POD : Scope.CONTAINER, zones(root));
  }

  private static List<Zone> zones(ManifestTree root) {
    var zones = new ArrayList<Zone>();
    for (ManifestTree zone : root.objects("zones")) {
      if (zone.text("type").equals("Node")) {
        zones.add(zone(zone.objects("resources")));
      }
    }
    return zones;
  }

  private static Zone zone(List<ManifestTree> resources) {
    var allocatable = new TreeMap<Resource, Long>();
    var available = new TreeMap<Resource, Long>();
    for (ManifestTree each : resources) {
      Resource resource = Requests.resource(each.text("name"));
      long there = amount(each, resource, each.spoken("allocatable", "capacity"));
      allocatable.put(resource, there);
      available.put(resource, each.has("available") ? amount(each, resource, "available") : there);
    }
    return new Zone(Amounts.of(allocatable), Amounts.of(available));
  }

  private static long amount(ManifestTree list, Resource resource, String field) {
    String text = list.text(field).trim();
    long amount = Quantities.amount(resource, text).orElse(-1);
    if (amount < 0) {
      list.problem(field, text, AMOUNT_RULE);
    }
    return Math.max(0, amount);
  }
}
