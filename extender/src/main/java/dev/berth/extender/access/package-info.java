/// Who may read what is not for kube-scheduler: the cluster's own users, by its own rules. A token
/// is judged through a client and remembered for seconds; few are judged at once, so that strangers
/// take no thread from the verbs. Any thread. May import Javalin and the JDK.
@NullMarked
package dev.berth.extender.access;

import org.jspecify.annotations.NullMarked;
