/// GPU shares by claims (DRA): makes the ResourceClaimTemplates that pods of Berth name. Safe from
/// any thread; writes are safe to repeat. May import engine, `controllers.client`,
/// `controllers.loop`; never a sibling.
@NullMarked
package dev.berth.controllers.claims;

import org.jspecify.annotations.NullMarked;
