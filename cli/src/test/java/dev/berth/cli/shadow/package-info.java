/// Tests of the package.
@NullMarked
package dev.berth.cli.shadow;

import org.jspecify.annotations.NullMarked;
