package dev.berth.cli.config;

import dev.berth.extender.rest.RestSettings;

/// The REST API and its pages.
///
/// @param enabled whether there is an API, for clients whose token may read what they ask for
/// @param dashboard whether there are pages; they need the API
public record RestConfig(boolean enabled, boolean dashboard, RestSettings settings) {
  static RestConfig read(Section section) {
    var defaults = RestSettings.DEFAULT;
    return new RestConfig(
        section.flag("enabled", false),
        section.flag("dashboard", true),
        new RestSettings(
            section.whole("plans", defaults.plans(), 1, 10_000),
            section.whole("streams", defaults.streams(), 1, 1000)));
  }
}
