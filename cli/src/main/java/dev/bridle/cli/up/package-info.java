/**
 * Runs the whole server in one process, and manages the files that a running server keeps beside
 * its data.
 */
package dev.bridle.cli.up;
