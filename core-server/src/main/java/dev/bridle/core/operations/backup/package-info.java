/** Backups of a running server, and the restoration of a server from one. */
package dev.bridle.core.operations.backup;
