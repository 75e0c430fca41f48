/** Checks that what is stored fits together, names what does not, and mends what can be derived. */
package dev.bridle.core.operations.check;
