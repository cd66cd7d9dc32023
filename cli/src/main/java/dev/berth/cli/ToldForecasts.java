package dev.berth.cli;

import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.world.ObjectTree;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What Berth has written on PodGroups of when they are likely to start.
final class ToldForecasts {
  private ToldForecasts() {}

  /// By group, of those that have one.
  static SortedMap<GroupKey, ForecastStatus> of(Scenario cluster) {
    var told = new TreeMap<GroupKey, ForecastStatus>();
    for (var item : cluster.objects()) {
      if (item.kind().equals("PodGroup")) {
        var forecast = PodGroupStatus.read(item.object()).forecast();
        if (!forecast.isNone()) {
          String namespace = ObjectTree.text(item.object(), "metadata", "namespace");
          told.put(new GroupKey(namespace, ObjectTree.name(item.object())), forecast);
        }
      }
    }
    return Collections.unmodifiableSortedMap(told);
  }
}
