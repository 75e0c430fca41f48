/** Work that is asked for from many threads and done by one at a time. */
package dev.bridle.core.kernel.turn;
