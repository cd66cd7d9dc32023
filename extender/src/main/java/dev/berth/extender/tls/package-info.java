/// Certificates on both sides between kube-scheduler and Berth: files or Secrets in, connections
/// out. They are read again while Berth runs, and what cannot be used changes nothing; any thread.
/// May import Javalin, Jetty, Bouncy Castle and the JDK; must not know what is asked on a
/// connection.
@NullMarked
package dev.berth.extender.tls;

import org.jspecify.annotations.NullMarked;
