/// The JSON that kube-scheduler's extender client speaks: Go names, capitalised, no tags. Values
/// and pure functions; [KnownNames] alone is shared between requests, and safe so. What cannot be
/// read is an [UnreadableQuestion] with a sentence. May import `engine.model`, Jackson.
@NullMarked
package dev.berth.extender.wire;

import org.jspecify.annotations.NullMarked;
