/// What a workload that is not submitted yet would get: its pods, made of its manifests, and its
/// manifests with what an offer asks for.
@NullMarked
package dev.berth.cli.offers;

import org.jspecify.annotations.NullMarked;
