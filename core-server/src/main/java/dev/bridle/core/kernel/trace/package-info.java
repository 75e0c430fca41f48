/** Trace ids, by which the events of a task are found in the traces of the systems around it. */
package dev.bridle.core.kernel.trace;
