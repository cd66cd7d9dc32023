/// The command line: the only `main`, the wiring of the rest, one file per command. May import
/// everything; no module imports it.
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
