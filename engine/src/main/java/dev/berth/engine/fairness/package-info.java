/// Who comes first, and who deserves what. Pure: reads the session, changes nothing. May import
/// `engine.model` and `engine.session`.
@NullMarked
package dev.berth.engine.fairness;

import org.jspecify.annotations.NullMarked;
