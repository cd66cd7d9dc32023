package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;

/// An object of the cluster, whole or its metadata alone.
///
/// @param fields the whole tree
public record KubeObject(
    String apiVersion,
    String kind,
    String namespace,
    String name,
    String uid,
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations,
    List<OwnerReference> owners,
    Map<?, ?> fields) {
  private static final Set<String> METADATA = Set.of("apiVersion", "kind", "metadata");

  public KubeObject {
    owners = List.copyOf(owners);
  }

  /// Reads a tree. Where it does not tell its kind (lists do not), the caller does.
  public static KubeObject read(String apiVersion, String kind, Map<?, ?> fields) {
    var tree = ManifestTree.root(fields, new Problems());
    var metadata = tree.object("metadata");
    String namespace = metadata.text("namespace");
    var owners = new ArrayList<OwnerReference>(1);
    for (ManifestTree reference : metadata.objects("ownerReferences")) {
      owners.add(
          new OwnerReference(
              reference.text("apiVersion"),
              reference.text("kind"),
              namespace,
              reference.text("name"),
              reference.text("uid"),
              reference.flag("controller")));
    }
    return new KubeObject(
        apiVersion,
        kind,
        namespace,
        metadata.text("name"),
        metadata.text("uid"),
        metadata.words("labels").textMap(),
        metadata.words("annotations").textMap(),
        owners,
        fields);
  }

  public static KubeObject read(Map<?, ?> fields) {
    var tree = ManifestTree.root(fields, new Problems());
    return read(tree.text("apiVersion"), tree.text("kind"), fields);
  }

  /// Of a Job: what rules read of it, and no more. There are many, and they change often.
  public KubeObject slimJob() {
    var kept = new LinkedHashMap<String, Object>();
    kept.put("metadata", Map.of("labels", labels, "annotations", annotations));
    for (String part : List.of("spec", "status")) {
      if (fields.get(part) instanceof Map<?, ?> whole) {
        var few = new LinkedHashMap<String, Object>();
        for (String field :
            List.of(
                "parallelism",
                "completions",
                "backoffLimitPerIndex",
                "template",
                "succeeded",
                "failedIndexes",
                "conditions")) {
          Object value = whole.get(field);
          if (value instanceof Map<?, ?> template) {
            Object metadata = template.get("metadata");
            value = metadata == null ? Map.of() : Map.of("metadata", metadata);
          }
          if (value != null) {
            few.put(field, value);
          }
        }
        kept.put(part, few);
      }
    }
    return new KubeObject(
        apiVersion, kind, namespace, name, uid, labels, annotations, owners, kept);
  }

  /// `resourceVersion` of the whole object; 0 = not told.
  public long version() {
    return tree(new Problems()).object("metadata").version();
  }

  /// Whether two sightings of it differ in nothing but its status.
  public boolean saysTheSameAs(KubeObject other) {
    return labels.equals(other.labels)
        && owners.equals(other.owners)
        && Objects.equals(fields.get("metadata"), other.fields.get("metadata"))
        && Objects.equals(fields.get("spec"), other.fields.get("spec"));
  }

  /// Whether both are metadata alone, and differ at most in what no rule reads of that: the version
  /// moves with each change of the status.
  public boolean isMetadataSameAs(KubeObject other) {
    return isMetadata()
        && other.isMetadata()
        && labels.equals(other.labels)
        && annotations.equals(other.annotations)
        && owners.equals(other.owners);
  }

  private boolean isMetadata() {
    return fields.containsKey("metadata") && METADATA.containsAll(fields.keySet());
  }

  /// Of a pod: what rules read of it, and no more.
  KubeObject slim() {
    var kept = new LinkedHashMap<String, Object>();
    kept.put("metadata", Map.of("labels", labels, "annotations", annotations));
    ManifestTree spec = spec(new Problems());
    if (spec.has("schedulingGroup")) {
      String group = spec.object("schedulingGroup").text("podGroupName");
      kept.put("spec", Map.of("schedulingGroup", Map.of("podGroupName", group)));
    }
    return new KubeObject(
        apiVersion, kind, namespace, name, uid, labels, annotations, owners, kept);
  }

  /// What is invalid in it becomes a problem there, which names it.
  ManifestTree tree(Problems problems) {
    return ManifestTree.root(fields, problems.in(this::told));
  }

  private String told() {
    return kind.equals("Pod") ? "pod " + namespace + "/" + name : toString();
  }

  ManifestTree spec(Problems problems) {
    return tree(problems).object("spec");
  }

  ManifestTree status(Problems problems) {
    return tree(problems).object("status");
  }

  ManifestTree annotations(Problems problems) {
    return tree(problems).object("metadata").words("annotations");
  }

  String label(String key) {
    return labels.getOrDefault(key, "");
  }

  /// API group; empty = the core group.
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  public boolean is(String group, String kind) {
    return this.kind.equals(kind) && group().equals(group);
  }

  @Override
  public String toString() {
    return kind + " " + namespace + "/" + name;
  }

  /// The way to it.
  public OwnerReference reference() {
    return new OwnerReference(apiVersion, kind, namespace, name, uid, false);
  }
}
