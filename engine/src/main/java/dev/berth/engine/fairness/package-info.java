/// The order of queues and groups, and their shares. Pure: reads the session, changes nothing. May
/// import `engine.model` and `engine.session`.
@NullMarked
package dev.berth.engine.fairness;

import org.jspecify.annotations.NullMarked;
