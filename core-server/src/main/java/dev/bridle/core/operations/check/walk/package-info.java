/** Reads all rows page by page on several threads, and counts them. */
package dev.bridle.core.operations.check.walk;
