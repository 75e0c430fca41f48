/** Checks of the event log: streams, feed, floors, eras and the folds of events. */
package dev.bridle.core.operations.check.log;
