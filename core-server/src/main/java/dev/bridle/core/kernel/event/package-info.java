/** The event log: appending, reading and following it. */
package dev.bridle.core.kernel.event;
