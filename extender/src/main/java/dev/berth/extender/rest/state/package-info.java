/// What the REST API shows: the cluster at one revision, and what became of it over time. Made from
/// the ledger's immutable records, incrementally, and only while a client asks. Revisions are
/// immutable and may be read by any thread. May import the engine and the JDK.
@NullMarked
package dev.berth.extender.rest.state;

import org.jspecify.annotations.NullMarked;
