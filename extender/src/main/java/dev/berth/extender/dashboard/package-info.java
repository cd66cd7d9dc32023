/// The pages: static files that show what the REST API says. Serves what its table lists and
/// nothing else, under a policy that allows no script but these files. Any thread. May import the
/// JDK and Javalin.
@NullMarked
package dev.berth.extender.dashboard;

import org.jspecify.annotations.NullMarked;
