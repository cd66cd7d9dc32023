package dev.berth.cli.imports;

import dev.berth.cli.lists.ListRefusal;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.simulator.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Objects of a cluster that runs. Each kind is listed in the newest version that the API server
/// serves.
public final class ImportCluster {
  private static final int NOT_FOUND = 404;

  private final ApiReads reads;
  private final ForeignObjects objects;
  private final List<String> leftOut = new ArrayList<>();

  private ImportCluster(ApiReads reads, OtherScheduler from) {
    this.reads = reads;
    this.objects = new ForeignObjects(from);
  }

  /// @param objects that could be read
  /// @param leftOut kinds that may not be listed, each a sentence
  public record Found(ForeignObjects objects, List<String> leftOut) {
    public Found {
      leftOut = List.copyOf(leftOut);
    }
  }

  /// @param server its name in errors
  /// @throws ClientException where the API server does not answer
  /// @throws ScenarioException where it serves no queues of the scheduler, or none that may be read
  public static Found read(ApiReads reads, OtherScheduler from, String server)
      throws ClientException, ScenarioException {
    var cluster = new ImportCluster(reads, from);
    String refused = cluster.list(from.queues());
    if (!refused.isEmpty()) {
      throw new ScenarioException(List.of(refused));
    }
    var others = new ArrayList<>(from.others());
    others.add(ForeignKind.BERTH_QUEUE);
    for (ForeignKind kind : others) {
      refused = cluster.list(kind);
      if (!refused.isEmpty()) {
        cluster.leftOut.add(refused + ": left out");
      }
    }
    cluster.objects.check(server);
    return new Found(cluster.objects, cluster.leftOut);
  }

  /// @return why the kind could not be listed; empty = it was, or is not served
  private String list(ForeignKind kind) throws ClientException {
    for (int i = 0; i < kind.paths().size(); i++) {
      String apiVersion = kind.apiVersions().get(i);
      var found = new ArrayList<Map<?, ?>>();
      var reply = reads.list(kind.paths().get(i), found::add);
      if (reply.isDone()) {
        found.forEach(object -> objects.add("", whole(apiVersion, kind, object)));
        return "";
      }
      if (reply.code() != NOT_FOUND) {
        return ListRefusal.sentence(kind.resource(), reply);
      }
    }
    return "";
  }

  /// Items of a list do not say what they are.
  private static Map<?, ?> whole(String apiVersion, ForeignKind kind, Map<?, ?> object) {
    var whole = new LinkedHashMap<Object, Object>();
    object.forEach(whole::put);
    whole.put("apiVersion", apiVersion);
    whole.put("kind", kind.kind());
    return whole;
  }
}
