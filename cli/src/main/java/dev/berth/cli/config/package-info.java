/// The configuration file: YAML read strictly, every wrong field named with its value and the way
/// out. Pure but for reading the file. May import every module's settings records.
@NullMarked
package dev.berth.cli.config;

import org.jspecify.annotations.NullMarked;
