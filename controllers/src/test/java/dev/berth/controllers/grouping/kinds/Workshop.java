package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Membership;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.Yaml;

/// An example of a kind, pods as its controller would make them, and what is said of these, in
/// words that a test can read.
final class Workshop {
  private static final Path EXAMPLES = Path.of("..", "examples", "workloads");

  /// Number of members that the resolver is told: large enough that every tree is built in full.
  private static final int MANY = 1_000_000;

  final GroupSpecResolver verdicts;
  private final List<KubeObject> objects = new ArrayList<>();
  private final List<WorkloadPod> members = new ArrayList<>();
  private int uids;

  private Workshop(List<ConfiguredKind> definitions) {
    verdicts = new GroupSpecResolver(new Rules(definitions));
  }

  /// @param file of `examples/workloads`
  static Workshop of(String file) {
    var shop = new Workshop(List.of());
    try {
      for (Object document : new Yaml().loadAll(Files.readString(EXAMPLES.resolve(file)))) {
        shop.objects.add(shop.born(document));
      }
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
    return shop;
  }

  static Workshop with(ConfiguredKind... definitions) {
    return new Workshop(List.of(definitions));
  }

  KubeObject object() {
    return objects.getFirst();
  }

  /// That of several in the example.
  KubeObject object(String kind) {
    return objects.stream().filter(each -> each.kind().equals(kind)).findFirst().orElseThrow();
  }

  /// The example, changed by text.
  Workshop but(String fragment) {
    var tree = new LinkedHashMap<String, Object>();
    object().fields().forEach((key, value) -> tree.put((String) key, value));
    Object more = new Yaml().load(fragment);
    objects.set(0, KubeObject.read(merged(tree, (Map<?, ?>) more)));
    return this;
  }

  private static Map<String, Object> merged(Map<?, ?> base, Map<?, ?> more) {
    var merged = new LinkedHashMap<String, Object>();
    base.forEach((key, value) -> merged.put((String) key, value));
    more.forEach((key, value) ->
        merged.put(
            (String) key,
            value instanceof Map<?, ?> map && merged.get(key) instanceof Map<?, ?> before
                ? merged(before, map)
                : value));
    return merged;
  }

  private KubeObject born(Object document) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("namespace", "default");
    metadata.put("uid", "uid-" + uids++);
    return KubeObject.read(merged((Map<?, ?>) document, Map.of("metadata", metadata)));
  }

  /// An object, or an owner between the pods and the example.
  KubeObject thing(String yaml) {
    return born(new Yaml().load(yaml));
  }

  /// @param kind such as `apps/v1 ReplicaSet`
  KubeObject owner(String kind, String name) {
    int blank = kind.indexOf(' ');
    return thing(
        "{apiVersion: %s, kind: %s, metadata: {name: %s}}"
            .formatted(kind.substring(0, blank), kind.substring(blank + 1), name));
  }

  /// @param labels such as `a: b, c: d`
  /// @param owners nearest first
  Workshop pod(String name, String labels, KubeObject... owners) {
    return pod(name, "labels: {%s}".formatted(labels), "", "", owners);
  }

  Workshop pod(String name, String metadata, String spec, String status, KubeObject... owners) {
    var pod =
        thing(
            "{apiVersion: v1, kind: Pod, metadata: {name: %s, %s}, spec: {%s}, status: {%s}}"
                .formatted(name, metadata, spec, status));
    members.add(WorkloadPod.of(pod, List.of(owners)));
    return this;
  }

  /// What the pods so far asked for besides their owners.
  Workshop given(KubeObject... further) {
    members.replaceAll(member -> member.with(List.of(further)));
    return this;
  }

  private TreeMap<String, List<AssignedPod>> groups() {
    var groups = new TreeMap<String, List<AssignedPod>>();
    for (WorkloadPod member : members) {
      var seated = verdicts.seat(member);
      String group = seated.isAlone() ? "" : seated.group().name();
      groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(seated);
    }
    return groups;
  }

  /// Of each group a line `train: 4 of research`, or with its sub-groups `train: master 1, worker 3
  /// of research`; of each pod a line `train-0: worker of train`, or `train-0: alone`.
  List<String> told() {
    var lines = new ArrayList<String>();
    groups()
        .forEach((name, seated) -> {
          if (!name.isEmpty()) {
            lines.add(unhashed(name) + ": " + told(verdicts.gang(seated, MANY).spec()));
          }
        });
    groups()
        .forEach((name, seated) ->
            seated.forEach(pod -> lines.add(pod.member().pod().name() + ": " + told(pod, name))));
    return lines;
  }

  GroupSpec gang() {
    return verdicts.gang(groups().lastEntry().getValue(), MANY).spec();
  }

  /// What is said of each group, those of one pod too.
  List<GroupSpec> specs() {
    var specs = new ArrayList<GroupSpec>();
    groups()
        .forEach((name, seated) -> {
          if (name.isEmpty()) {
            seated.forEach(pod -> specs.add(verdicts.alone(pod).said()));
          } else {
            specs.add(verdicts.gang(seated, MANY).spec());
          }
        });
    return specs;
  }

  /// What the rule of the first pod is about.
  KubeObject subject() {
    return groups().firstEntry().getValue().getFirst().subject();
  }

  Membership alone() {
    return verdicts.alone(groups().firstEntry().getValue().getFirst());
  }

  private String told(AssignedPod pod, String group) {
    if (pod.isAlone()) {
      var said = verdicts.alone(pod);
      return "alone"
          + of(said.said())
          + (said.usualClass().equals("train") ? "" : ", " + said.usualClass())
          + problems(said.said());
    }
    String role = verdicts.member(pod, verdicts.gang(groups().get(group), MANY).spec()).subGroup();
    return (role.isEmpty() ? "" : role + " of ")
        + unhashed(group)
        + (pod.seat().leads() ? ", first" : "");
  }

  private static String told(GroupSpec gang) {
    var text = new StringBuilder();
    if (gang.subGroups().isEmpty()) {
      text.append(gang.minMember());
    } else {
      text.append(gang.minSubGroup() == 0 ? "" : "any " + gang.minSubGroup() + " of ");
      text.append(below("", gang.subGroups()));
    }
    text.append(of(gang)).append(at(gang.topology()));
    text.append(gang.priorityClass().isEmpty() ? "" : ", " + gang.priorityClass());
    return text + problems(gang);
  }

  private static String below(String parent, List<SubGroup> all) {
    var children = new ArrayList<String>();
    for (SubGroup each : all) {
      if (each.parent().equals(parent)) {
        String inner = below(each.name(), all);
        children.add(
            each.name()
                + " "
                + (inner.isEmpty() ? each.minMember() : each.minSubGroup() + " of (" + inner + ")")
                + at(each.topology()));
      }
    }
    return String.join(", ", children);
  }

  private static String of(GroupSpec said) {
    return said.queue().isNone() ? "" : " of " + said.queue().value();
  }

  private static String at(TopologyAsk topology) {
    return topology.equals(TopologyAsk.NONE)
        ? ""
        : " in "
            + topology.topology()
            + "/"
            + topology.required()
            + (topology.preferred().isEmpty() ? "" : "~" + topology.preferred());
  }

  private static String problems(GroupSpec said) {
    return said.problems().isEmpty() ? "" : ", wrong: " + said.problems().getFirst().field();
  }

  /// Groups are called by a hash of the owner's UID besides.
  private static String unhashed(String group) {
    return group.replaceAll("-[0-9a-f]{8}$", "");
  }
}
