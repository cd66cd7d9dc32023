/// Tests of placement below the whole plan: who is compared with whom ([PodMatches]).
@NullMarked
package dev.berth.engine.placement;

import org.jspecify.annotations.NullMarked;
