/// The doctor's checks, each on facts that are written by hand.
@NullMarked
package dev.berth.cli.doctor;

import org.jspecify.annotations.NullMarked;
