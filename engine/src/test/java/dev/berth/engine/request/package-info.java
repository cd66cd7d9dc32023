/// The parser: what it reads ([PodManifestTest] and its like), what it says of what is invalid
/// ([BadInputTest]), and that nothing throws ([FuzzTest]).
@NullMarked
package dev.berth.engine.request;

import org.jspecify.annotations.NullMarked;
