/** The one gate for writes: command ids, idempotency and what a write knows about itself. */
package dev.bridle.core.kernel.command;
