/// Tests of placement below the whole plan: which pods are compared with each other ([PodMatches]).
@NullMarked
package dev.berth.engine.placement;

import org.jspecify.annotations.NullMarked;
