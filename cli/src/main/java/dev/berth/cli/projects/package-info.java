/// Projects: a queue, its namespaces and the rights of its people, in a file. Files in, manifests
/// for kubectl out; and what a cluster shows of projects. Never writes to a cluster. May import the
/// engine's model and parsers, the lists of a cluster, and the reader of scenario files.
@NullMarked
package dev.berth.cli.projects;

import org.jspecify.annotations.NullMarked;
