/**
 * All parts of Bridle in one process, and the files that a running server keeps beside its data.
 */
package dev.bridle.cli.up;
