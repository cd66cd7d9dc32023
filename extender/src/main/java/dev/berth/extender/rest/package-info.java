/// The REST API: decodes a question, asks a revision, encodes the answer; tells changes as events.
/// Runs on virtual threads, few at a time, and plans what-ifs on a thread of its own, so that
/// clients take no thread from the verbs. May import the engine, the extender's JSON and Javalin.
@NullMarked
package dev.berth.extender.rest;

import org.jspecify.annotations.NullMarked;
