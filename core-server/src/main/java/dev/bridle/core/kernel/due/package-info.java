/** Work that is due at a time, and its handlers. */
package dev.bridle.core.kernel.due;
