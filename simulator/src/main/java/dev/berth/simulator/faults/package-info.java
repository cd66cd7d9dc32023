/// What goes wrong on purpose: watch events late, repeated or out of order, writes that fail or
/// whose reply is lost, restarts. Seeded decorators around the clients and watchers of a world,
/// with one switch that heals everything. May import `simulator.world` and the controllers'
/// clients.
@NullMarked
package dev.berth.simulator.faults;

import org.jspecify.annotations.NullMarked;
