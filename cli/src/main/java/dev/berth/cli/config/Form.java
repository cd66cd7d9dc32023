package dev.berth.cli.config;

/// What the text of a setting is, for the pages; the reader of the setting enforces it.
///
/// @param bounds of its values; empty = any text
record Form(String type, String bounds) {
  static final Form TEXT = new Form("text", "");
  static final Form REQUIRED = new Form("text", "required");
}
