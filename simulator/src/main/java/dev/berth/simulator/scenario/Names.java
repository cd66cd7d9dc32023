package dev.berth.simulator.scenario;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;

/// Names as people say them: the default namespace goes without saying.
final class Names {
  private static final String UNSAID = "default/";

  private Names() {}

  static String of(GroupKey group) {
    return of(group.toString());
  }

  static String of(PodKey pod) {
    return of(pod.namespace() + "/" + pod.name());
  }

  static String of(String name) {
    return name.startsWith(UNSAID) ? name.substring(UNSAID.length()) : name;
  }
}
