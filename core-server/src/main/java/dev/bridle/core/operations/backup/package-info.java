/** Backups of a running server, and what a server goes through that is put back from one. */
package dev.bridle.core.operations.backup;
