/// When waiting groups are likely to start, from how long others have waited.
@NullMarked
package dev.berth.engine.forecast;

import org.jspecify.annotations.NullMarked;
