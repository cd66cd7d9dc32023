/// Authorizes requests that are not kube-scheduler's: the cluster's own users, by its own rules. A
/// token is judged through a client and remembered for seconds; few are judged at once, so that
/// unknown clients take no thread from the verbs. Any thread. May import Javalin and the JDK.
@NullMarked
package dev.berth.extender.access;

import org.jspecify.annotations.NullMarked;
