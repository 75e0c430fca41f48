/** What common operations cost in storage, held to a committed sheet. */
package dev.bridle.core.cost;
