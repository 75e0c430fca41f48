/** Outbound HTTP calls: to checked addresses only, within limits of time and size. */
package dev.bridle.core.kernel.outbound;
