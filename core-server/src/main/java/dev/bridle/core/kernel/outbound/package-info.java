/** How the server calls out: to addresses that were looked at first, and within bounds. */
package dev.bridle.core.kernel.outbound;
