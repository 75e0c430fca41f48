/**
 * Selects the storage engine of a data directory: embedded in the directory, in memory, or a
 * cluster.
 */
package dev.bridle.cli.engine;
