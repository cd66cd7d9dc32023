package dev.berth.cli.doctor;

import java.util.List;
import java.util.Map;

/// One list of objects as plain trees, or why it could not be read.
///
/// @param served false = the API server knows no such kind
/// @param failure the server's words; empty = it was read
public record Listing(List<Map<?, ?>> items, boolean served, String failure) {
  static final Listing EMPTY = new Listing(List.of(), true, "");
  static final Listing NOT_SERVED = new Listing(List.of(), false, "");

  public Listing {
    items = List.copyOf(items);
  }

  static Listing of(List<Map<?, ?>> items) {
    return new Listing(items, true, "");
  }

  static Listing failed(String why) {
    return new Listing(List.of(), true, why);
  }

  boolean isRead() {
    return failure.isEmpty();
  }
}
