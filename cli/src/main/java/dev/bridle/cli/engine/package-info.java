/** Which storage engine keeps the data of a data directory: one in the directory, or a cluster. */
package dev.bridle.cli.engine;
