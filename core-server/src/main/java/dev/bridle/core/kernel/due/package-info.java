/** Work that is due at a time, and who does it. */
package dev.bridle.core.kernel.due;
