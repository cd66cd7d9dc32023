/// Berth's custom resources as records: what Berth writes to Queue and PodGroup objects. Values
/// only. May import `engine.model` and a JSON reader.
@NullMarked
package dev.berth.controllers.crd;

import org.jspecify.annotations.NullMarked;
