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
        section.flag(
            "enabled",
            "Whether the REST API answers at /api/v1 of the same port, for clients whose token may"
                + " read what they ask for.",
            false),
        section.flag(
            "dashboard",
            "Whether the pages are at / (docs/users/dashboard.md). They need the REST API.",
            true),
        new RestSettings(
            section.whole(
                "plans",
                "plans",
                "Most plans that are made for one explanation or offer.",
                defaults.plans(),
                1,
                10_000),
            section.whole(
                "streams",
                "clients",
                "Most clients that follow changes at a time; each open page is one. A user that"
                    + " does not see everything, or all service accounts of a namespace, may have"
                    + " an eighth.",
                defaults.streams(),
                1,
                1000)));
  }
}
