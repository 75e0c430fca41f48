/** Exports tenants, sessions and tasks to files, and imports such files. */
package dev.bridle.core.operations.portability;
