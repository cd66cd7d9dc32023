/// Scenario files as a test suite: plays them, several at once, and tells the verdicts in the order
/// of the files: for people, for machines, and with the deviations that are meant. The product is
/// handed in.
@NullMarked
package dev.berth.cli.cases;

import org.jspecify.annotations.NullMarked;
