package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Pods that an Argo Workflow makes at once: of its entrypoint, of the first group of its steps, of
/// the tasks of its graph that depend on no others. What depends on parameters or conditions is not
/// told by the manifest.
final class WorkflowRoles {
  private static final int DEEPEST = 10; // templates within templates
  private static final int MOST_CALLS = 1000; // of templates
  private static final int MOST_PODS = 1_000_000; // more are as many
  private static final List<String> OF_WORKFLOW =
      List.of("schedulerName", "nodeSelector", "tolerations", "affinity", "priorityClassName");

  private final Map<String, Object> spec;
  private final String name;
  private final List<PodRole> roles = new ArrayList<>();
  private int calls;

  private WorkflowRoles(Map<String, Object> spec, String name) {
    this.spec = spec;
    this.name = name;
  }

  static List<PodRole> of(Map<String, Object> spec, String name) throws UntoldPods {
    if (spec.containsKey("workflowTemplateRef")) {
      throw new UntoldPods(
          "its templates are those of a WorkflowTemplate (workflowTemplateRef): give them in"
              + " spec.templates");
    }
    var workflow = new WorkflowRoles(spec, name);
    workflow.add(ObjectTree.text(spec, "entrypoint"), 1, 0);
    return workflow.roles;
  }

  private void add(String called, long times, int depth) throws UntoldPods {
    var template = named(called);
    if (depth > DEEPEST) {
      throw new UntoldPods("template " + called + " calls itself: give the pods of a run");
    }
    if (template.containsKey("steps")) {
      var groups = ObjectTree.list(template, "steps");
      var first = groups.isEmpty() ? List.<Map<String, Object>>of() : group(groups.getFirst());
      for (var step : first) {
        call(step, times, depth);
      }
    } else if (template.containsKey("dag")) {
      for (var task : ObjectTree.maps(template, "dag", "tasks")) {
        if (ObjectTree.list(task, "dependencies").isEmpty()
            && ObjectTree.text(task, "depends").isEmpty()) {
          call(task, times, depth);
        }
      }
    } else if (template.containsKey("container") || template.containsKey("script")) {
      pods(template, times);
    } else {
      throw new UntoldPods(
          "template "
              + called
              + " is no container, script, steps or dag: give the pods of a run (kubectl get pods"
              + " -o yaml)");
    }
  }

  private Map<String, Object> named(String called) throws UntoldPods {
    for (var each : ObjectTree.maps(spec, "templates")) {
      if (ObjectTree.text(each, "name").equals(called)) {
        return each;
      }
    }
    throw new UntoldPods(
        "there is no template \"" + called + "\" in spec.templates: name one of them");
  }

  /// Steps that run at once: a list in a list.
  private static List<Map<String, Object>> group(Object steps) {
    return ObjectTree.maps(ObjectTree.of("steps", steps), "steps");
  }

  private void call(Map<String, Object> step, long times, int depth) throws UntoldPods {
    String called = ObjectTree.text(step, "name");
    for (String field : List.of("when", "withParam", "withSequence", "templateRef", "inline")) {
      if (step.containsKey(field)) {
        throw new UntoldPods(
            "step "
                + called
                + " depends on its "
                + field
                + ": leave it out, or give the pods of a run (kubectl get pods -o yaml)");
      }
    }
    long items = step.containsKey("withItems") ? ObjectTree.list(step, "withItems").size() : 1;
    calls++;
    if (calls > MOST_CALLS) {
      throw new UntoldPods("it begins with more than " + MOST_CALLS + " steps at once");
    }
    add(ObjectTree.text(step, "template"), Math.min(MOST_PODS, times * items), depth + 1);
  }

  /// A template with a container is no template of a pod: what a change says is read by Argo from
  /// `metadata`, and from fields of the template that are called as those of a pod.
  private void pods(Map<String, Object> template, long times) throws UntoldPods {
    for (var from : List.of(spec, template)) {
      if (from.containsKey("podSpecPatch")) {
        throw new UntoldPods(
            "podSpecPatch changes its pods: give the pods of a run (kubectl get pods -o yaml)");
      }
    }
    var pod = ObjectTree.of("metadata", ObjectTree.thaw(ObjectTree.map(spec, "podMetadata")));
    ObjectTree.merge(ObjectTree.under(pod, "metadata"), ObjectTree.map(template, "metadata"));
    var its = ObjectTree.under(pod, "spec");
    for (String field : OF_WORKFLOW) {
      for (var from : List.of(spec, template)) {
        if (from.containsKey(field)) {
          its.put(field, from.get(field));
        }
      }
    }
    var containers = new ArrayList<Object>();
    for (String field : List.of("container", "script")) {
      var container = ObjectTree.thaw(ObjectTree.map(template, field));
      if (!container.isEmpty()) {
        container.put("name", "main");
        container.remove("source");
        containers.add(container);
      }
    }
    for (var sidecar : ObjectTree.maps(template, "sidecars")) {
      containers.add(ObjectTree.thaw(sidecar));
    }
    its.put("containers", containers);
    if (pod.toString().contains("{{")) {
      throw new UntoldPods(
          "template "
              + ObjectTree.text(template, "name")
              + " has parameters ({{…}}) in its pods: write their values");
    }
    int number = roles.size();
    roles.add(PodRole.owned(pod, times, PodRole.numbered(name + "-" + number)));
  }
}
