/// The controllers act: watches become facts, plans become API writes. The packages below meet in
/// the ledger and know nothing of each other; this one holds what they count. May import the
/// metrics client, in `Metrics` alone.
@NullMarked
package dev.berth.controllers;

import org.jspecify.annotations.NullMarked;
