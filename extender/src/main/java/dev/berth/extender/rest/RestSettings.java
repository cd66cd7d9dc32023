package dev.berth.extender.rest;

/// @param plans most plans that are made for one explanation
/// @param streams most clients that follow events at the same time
public record RestSettings(int plans, int streams) {
  public static final RestSettings DEFAULT = new RestSettings(100, 50);

  public RestSettings {
    if (plans < 1 || streams < 1) {
      throw new IllegalArgumentException(
          "rest.plans is "
              + plans
              + " and rest.streams "
              + streams
              + ", but both must be 1 or more");
    }
  }
}
