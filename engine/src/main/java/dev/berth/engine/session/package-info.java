/// The cluster as it would be: a mutable picture over one snapshot, changed only through
/// statements. One thread; every change is undone unless it is kept; nothing here decides what is
/// good. May import `engine.model`.
@NullMarked
package dev.berth.engine.session;

import org.jspecify.annotations.NullMarked;
