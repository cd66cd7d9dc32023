/// Makes the pages of `docs/reference` from the code. Each page is a pure function of what the code
/// says: no clock, no locale, no order of a hash table. Used by tests alone.
package dev.berth.cli.reference;
