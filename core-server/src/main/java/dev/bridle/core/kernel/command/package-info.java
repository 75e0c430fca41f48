/** The one gate for writes: command ids, idempotency and the attempt of a write. */
package dev.bridle.core.kernel.command;
