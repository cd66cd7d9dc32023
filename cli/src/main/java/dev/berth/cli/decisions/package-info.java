/// The decision log: files of what the planner was asked and answered, written beside it and read
/// back to be made again. A slow or full disk costs entries, never a plan; each file is understood
/// without the others.
@NullMarked
package dev.berth.cli.decisions;

import org.jspecify.annotations.NullMarked;
