/// How the container of a share gets its GPU on a node, as far as objects of the API tell, and what
/// is wrong where it gets none: the order in which a probe tries the modes, and the sentences of
/// the PodGroup reasons and of `berth doctor`. Pure functions; threads do not matter. May import
/// `engine.request` for its reader of trees.
@NullMarked
package dev.berth.engine.injection;

import org.jspecify.annotations.NullMarked;
