/// What an object asks for: one parser for every caller, from the plain tree of its JSON or YAML
/// (maps, lists, strings, numbers, booleans) to the nouns of the model. Pure functions; bad input
/// becomes a `Problem`, never an exception. May import `engine.model`.
@NullMarked
package dev.berth.engine.request;

import org.jspecify.annotations.NullMarked;
