/** Ids. */
package dev.bridle.core.id;
