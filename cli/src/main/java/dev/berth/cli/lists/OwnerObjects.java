package dev.berth.cli.lists;

import static dev.berth.simulator.world.ObjectTree.map;
import static dev.berth.simulator.world.ObjectTree.maps;
import static dev.berth.simulator.world.ObjectTree.text;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.OwnerClient.Barred;
import dev.berth.controllers.client.OwnerClient.Found;
import dev.berth.controllers.client.OwnerClient.Present;
import dev.berth.controllers.client.OwnerClient.Wanted;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/// The owners of pods, and theirs in turn, as far as they are not listed: ReplicaSets, Deployments,
/// JobSets and what else there is. They may say the queue of a pod, and what starts with it.
///
/// @param objects each with its `apiVersion` and `kind`
/// @param leftOut what could not be read, each a sentence
record OwnerObjects(List<Map<String, Object>> objects, List<String> leftOut) {
  private static final int AT_ONCE = 8;
  private static final int MOST = 20_000;
  private static final int MOST_LEVELS = 8;
  private static final String OURS = "berth.dev/";

  /// @param objects that are there: those of pods that may be Berth's are looked for
  /// @param owners asked by several threads
  static OwnerObjects of(List<Map<String, Object>> objects, OwnerClient owners)
      throws ClientException {
    var known = new TreeSet<String>(); // UIDs
    var next = new LinkedHashSet<Wanted>();
    for (var object : objects) {
      known.add(text(object, "metadata", "uid"));
      if (mayBeOfOurs(object)) {
        next.addAll(owners(object));
      }
    }
    var all = new ArrayList<Map<String, Object>>();
    var barred = new TreeSet<String>();
    for (int level = 0; level < MOST_LEVELS && !next.isEmpty(); level++) {
      next.removeIf(wanted -> !known.add(wanted.uid()));
      var wanted = next.stream().limit(Math.max(0, MOST - all.size())).toList();
      next.clear();
      for (var found : read(wanted, owners).entrySet()) {
        switch (found.getValue()) {
          case Present(String version, Map<String, ?> object) -> {
            var whole = LiveObjects.whole(version, found.getKey().kind(), object);
            all.add(whole);
            next.addAll(owners(whole));
          }
          case Barred() -> barred.add(found.getKey().kind());
          default -> {} // gone meanwhile
        }
      }
    }
    return new OwnerObjects(
        all,
        barred.stream()
            .map(kind ->
                "owners of kind "
                    + kind
                    + " could not be read: what they say of their pods is left"
                    + " out")
            .toList());
  }

  private static Map<Wanted, Found> read(List<Wanted> wanted, OwnerClient owners)
      throws ClientException {
    var answers = new LinkedHashMap<Wanted, Future<Found>>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      wanted.forEach(each -> answers.put(each, threads.submit(() -> owners.read(each))));
      var found = new LinkedHashMap<Wanted, Found>();
      for (var answer : answers.entrySet()) {
        found.put(answer.getKey(), answer.getValue().get());
      }
      return found;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new ClientException(ClientException.Kind.NOT_NOW, "interrupted while owners were read");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof ClientException why) {
        throw why;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  /// Pods of other schedulers bear nothing of Berth. Jobs are listed, and have owners, too.
  private static boolean mayBeOfOurs(Map<String, Object> object) {
    if (!text(object, "kind").equals("Pod")) {
      return text(object, "kind").equals("Job");
    }
    String phase = text(object, "status", "phase");
    if (phase.equals("Succeeded") || phase.equals("Failed")) {
      return false;
    }
    return !text(object, "spec", "schedulerName").equals(WellKnownNames.DEFAULT_SCHEDULER)
        || isAnyOurs(map(object, "metadata", "labels").keySet().stream())
        || isAnyOurs(map(object, "metadata", "annotations").keySet().stream())
        || isAnyOurs(
            maps(object, "spec", "schedulingGates").stream().map(gate -> text(gate, "name")));
  }

  private static boolean isAnyOurs(Stream<String> names) {
    return names.anyMatch(name -> name.startsWith(OURS));
  }

  private static List<Wanted> owners(Map<String, Object> object) {
    String namespace = text(object, "metadata", "namespace");
    return maps(object, "metadata", "ownerReferences").stream()
        .filter(ref -> !text(ref, "kind").equals("Node")) // of mirror pods
        .map(ref ->
            new Wanted(
                text(ref, "apiVersion"),
                text(ref, "kind"),
                namespace,
                text(ref, "name"),
                text(ref, "uid"),
                true))
        .toList();
  }
}
