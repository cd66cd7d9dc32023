/// What each kind of workload says of its pods: which of them start together, and their roles. Pure
/// functions over objects as trees, one file per kind that has a rule of its own; they read nothing
/// and remember nothing. May import `engine.model` and `engine.request`.
@NullMarked
package dev.berth.controllers.grouping.kinds;

import org.jspecify.annotations.NullMarked;
