/// Which pods could make room: the search for the fewest victims, with undo. Changes the session
/// through statements, and keeps one only where the whole plan holds. May import `engine.model`,
/// `.session`, `.fairness` and `.placement`.
@NullMarked
package dev.berth.engine.victims;

import org.jspecify.annotations.NullMarked;
