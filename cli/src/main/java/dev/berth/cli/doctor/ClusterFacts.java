package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// All that was read of a cluster, at one time: the input of every check.
///
/// @param server the API server's address
/// @param version such as `v1.36.3`
/// @param now this machine's clock
/// @param skew this machine's clock minus the API server's, to the second
/// @param rights of Berth's account, or before an install of the user
public record ClusterFacts(
    String server,
    String version,
    Instant now,
    Duration skew,
    boolean preflight,
    Map<Source, Listing> listings,
    List<AccessAnswer> rights,
    SchedulerFacts scheduler) {
  static final String NAMESPACE = "berth-system";

  public ClusterFacts {
    listings = listings.isEmpty() ? Map.of() : new EnumMap<>(listings);
    rights = List.copyOf(rights);
  }

  Listing of(Source source) {
    return listings.getOrDefault(source, Listing.EMPTY);
  }

  List<Map<?, ?>> items(Source source) {
    return of(source).items();
  }

  /// The objects of a list, to read fields of.
  List<ManifestTree> trees(Source source) {
    var trees = new ArrayList<ManifestTree>();
    for (Map<?, ?> item : items(source)) {
      trees.add(ManifestTree.root(item, new Problems()));
    }
    return trees;
  }

  static String name(ManifestTree object) {
    return object.object("metadata").text("name");
  }

  static String namespace(ManifestTree object) {
    return object.object("metadata").text("namespace");
  }

  static String key(ManifestTree object) {
    return namespace(object) + "/" + name(object);
  }

  static ManifestTree labels(ManifestTree object) {
    return object.object("metadata").words("labels");
  }

  static ManifestTree annotations(ManifestTree object) {
    return object.object("metadata").words("annotations");
  }
}
