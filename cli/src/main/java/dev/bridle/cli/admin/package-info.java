/**
 * Connects admin commands to the core: through a running server, or by opening the data directory.
 */
package dev.bridle.cli.admin;
