/** Ids. */
package dev.bridle.core.kernel.id;
