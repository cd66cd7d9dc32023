/// Queues of other schedulers as Queues of Berth: objects in, manifests out, and a sentence for
/// each field that has no counterpart. Reads files and the API server, and writes nothing to a
/// cluster. May import the engine's model and parsers, the controllers, and the reader of scenario
/// files.
@NullMarked
package dev.berth.cli.imports;

import org.jspecify.annotations.NullMarked;
