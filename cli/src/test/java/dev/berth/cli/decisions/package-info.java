/// The decision log, written to folders that are gone afterwards.
@NullMarked
package dev.berth.cli.decisions;

import org.jspecify.annotations.NullMarked;
