/// What the REST API answers: records whose components are the fields of the JSON, as
/// `openapi.json` describes them, and how they are made of a revision. Values; any thread. What the
/// viewer may not see is left out here. May import the engine and the package `state`.
@NullMarked
package dev.berth.extender.rest.answer;

import org.jspecify.annotations.NullMarked;
