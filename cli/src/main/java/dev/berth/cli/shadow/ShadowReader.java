package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.text;

import dev.berth.cli.lists.ListRefusal;
import dev.berth.cli.lists.LiveObjects;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.scenario.Product;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Reads a cluster as Berth would see it if the pods of its schedulers were Berth's. Each read is
/// one list a kind, from the memory of the API server, and a GET for an owner of pods that is not
/// known yet. It sends GETs alone.
///
/// Remembers the snapshot before. Of one thread.
public final class ShadowReader {
  private static final int NOT_FOUND = 404;

  /// Objects of other schedulers that name queues and gangs.
  private enum Foreign {
    LOCAL_QUEUE_2("kueue.x-k8s.io/v1beta2", "LocalQueue", "localqueues"),
    LOCAL_QUEUE_1("kueue.x-k8s.io/v1beta1", "LocalQueue", "localqueues"),
    KAI_GROUP("scheduling.run.ai/v2alpha2", "PodGroup", "podgroups"),
    VOLCANO_GROUP("scheduling.volcano.sh/v1beta1", "PodGroup", "podgroups"),
    PLUGIN_GROUP("scheduling.x-k8s.io/v1alpha1", "PodGroup", "podgroups");

    private final String apiVersion;
    private final String kind;
    private final String resource;

    Foreign(String apiVersion, String kind, String resource) {
      this.apiVersion = apiVersion;
      this.kind = kind;
      this.resource = resource;
    }
  }

  private final ApiReads reads;
  private final OwnerClient owners;
  private final InstantSource time;
  private final ShadowRules rules;
  private final Map<String, Object> settings;
  private final Product.Factory products;
  private final SuspendedJobs jobs = new SuspendedJobs();
  private Snapshot last = Snapshot.empty(Instant.MIN);
  private long number;

  /// @param snapshot of which parts are those of the snapshot before where they say the same
  /// @param schedulers of the pods that count
  /// @param leftOut what could not be read, or is wrong, each a sentence
  public record Reading(Snapshot snapshot, List<String> schedulers, List<String> leftOut) {
    public Reading {
      schedulers = List.copyOf(schedulers);
      leftOut = List.copyOf(leftOut);
    }
  }

  /// @param owners by threads of its own; what it recalls is not read again
  /// @param settings of the Berth that is imagined
  /// @param products of which each makes one snapshot
  public ShadowReader(
      ApiReads reads,
      OwnerClient owners,
      InstantSource time,
      ShadowRules rules,
      Map<String, Object> settings,
      Product.Factory products) {
    this.reads = reads;
    this.owners = recalled(owners);
    this.time = time;
    this.rules = rules;
    this.settings = settings;
    this.products = products;
  }

  private static OwnerClient recalled(OwnerClient owners) {
    return new OwnerClient() {
      @Override
      public Found recall(Wanted wanted) {
        return owners.recall(wanted);
      }

      @Override
      public Found read(Wanted wanted) throws ClientException {
        var known = owners.recall(wanted);
        return known instanceof Unread ? owners.read(wanted) : known;
      }
    };
  }

  /// @throws ClientException where the API server does not answer, or not in full
  /// @throws ScenarioException where the settings cannot be used
  public Reading read() throws ClientException, ScenarioException {
    var live = LiveObjects.readRecent(reads, time);
    var leftOut = new ArrayList<String>();
    var foreign = foreign(leftOut);
    var objects = new ArrayList<Map<String, Object>>();
    var counting = new ArrayList<Map<String, Object>>();
    var schedulers = new TreeSet<String>();
    var pods = new ShadowPods(rules);
    for (Map<String, Object> object : jobs.filled(live.objects())) {
      boolean isPod = text(object, "kind").equals("Pod");
      if (isPod && KaiShares.isReservation(object)) {
        continue;
      }
      objects.add(object);
      if (isPod && pods.counts(object)) {
        schedulers.add(WellKnownNames.scheduler(text(object, "spec", "schedulerName")));
        ShadowPods.rewrite(object);
        counting.add(object);
      }
    }
    KaiShares.place(counting, objects);
    var whole = live.withOwners(objects, owners);
    var all = new ArrayList<>(whole.objects());
    all.addAll(foreign);
    var queues = new ShadowQueues(rules, all);
    counting.forEach(queues::settle);
    leftOut.addAll(whole.leftOut());
    return new Reading(snapshot(whole, counting, leftOut), List.copyOf(schedulers), leftOut);
  }

  private Snapshot snapshot(
      LiveObjects whole, List<Map<String, Object>> counting, List<String> leftOut)
      throws ScenarioException {
    var now = whole.now().isBefore(last.now()) ? last.now() : whole.now();
    var scenario = ScenarioFiles.cluster("", now, settings, whole.objects(), _ -> true);
    leftOut.addAll(scenario.warnings());
    var over = new HashMap<PodUid, Pod>(); // looked up only
    for (Map<String, Object> pod : counting) {
      PodManifest.read(pod).filter(Pod::isOver).ifPresent(it -> over.put(it.uid(), it));
    }
    var seen = ScenarioRun.look(scenario, products);
    last = SharedParts.of(last, numbered(EndedPods.shown(last, seen, over)));
    return last;
  }

  private Snapshot numbered(Snapshot seen) {
    return new Snapshot(
        ++number,
        seen.now(),
        seen.nodes(),
        seen.queues(),
        seen.groups(),
        seen.topologies(),
        seen.past(),
        seen.strangers(),
        seen.devices(),
        seen.budgets());
  }

  private List<Map<String, Object>> foreign(List<String> leftOut) throws ClientException {
    var objects = new ArrayList<Map<String, Object>>();
    for (Foreign each : Foreign.values()) {
      if (each == Foreign.LOCAL_QUEUE_1 && !objects.isEmpty()) {
        continue;
      }
      var reply =
          reads.listRecent(
              "/apis/" + each.apiVersion + "/" + each.resource,
              object -> objects.add(LiveObjects.ofList(each.apiVersion, each.kind, object)));
      if (!reply.isDone() && reply.code() != NOT_FOUND) {
        String group = each.apiVersion.substring(0, each.apiVersion.indexOf('/'));
        leftOut.add(ListRefusal.sentence(each.resource + "." + group, reply) + ": left out");
      }
    }
    return objects;
  }
}
