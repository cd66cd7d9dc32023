package dev.berth.cli.doctor;

import dev.berth.engine.request.Problems;
import dev.berth.engine.request.Tree;
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
    List<Access> rights,
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
  List<Tree> trees(Source source) {
    var trees = new ArrayList<Tree>();
    for (Map<?, ?> item : items(source)) {
      trees.add(Tree.root(item, new Problems()));
    }
    return trees;
  }

  static String name(Tree object) {
    return object.object("metadata").text("name");
  }

  static String namespace(Tree object) {
    return object.object("metadata").text("namespace");
  }

  static String key(Tree object) {
    return namespace(object) + "/" + name(object);
  }

  static Tree labels(Tree object) {
    return object.object("metadata").words("labels");
  }

  static Tree annotations(Tree object) {
    return object.object("metadata").words("annotations");
  }
}
