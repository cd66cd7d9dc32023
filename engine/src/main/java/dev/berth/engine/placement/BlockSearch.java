package dev.berth.engine.placement;

import dev.berth.engine.session.Session;

/// What all attempts of a plan to place blocks share, among it how many domains they may try.
final class BlockSearch {
  // Domains that are tried for parts below parts that want a topology too, before each attempt has
  // the least.
  private static final int NESTED = 4_000;

  private final Session session;
  private final NodePicker places;
  private final Domains domains;
  private final Domain cluster;
  private final FewestReleased fewest;
  private int nestedLeft = NESTED;

  BlockSearch(Session session, NodePicker places) {
    this.session = session;
    this.places = places;
    domains = new Domains(session);
    cluster = Domain.whole(session.room());
    fewest = new FewestReleased(session.room(), places);
  }

  Session session() {
    return session;
  }

  NodePicker places() {
    return places;
  }

  Domains domains() {
    return domains;
  }

  Domain cluster() {
    return cluster;
  }

  FewestReleased fewest() {
    return fewest;
  }

  /// How many domains may still be tried for parts below parts; below 0 in attempts that have the
  /// least.
  int nestedLeft() {
    return nestedLeft;
  }

  /// One such domain is tried.
  void tryNested() {
    nestedLeft--;
  }
}
