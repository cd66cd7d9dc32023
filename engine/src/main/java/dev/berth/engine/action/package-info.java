/// What the planner may do, one file each; each is the rule that it carries out. An action changes
/// the session through statements that it keeps, and says of a group that it could not help why.
/// Actions know nothing of each other. May import `engine.model`, `.session`, `.fairness` and
/// `.placement`.
@NullMarked
package dev.berth.engine.action;

import org.jspecify.annotations.NullMarked;
