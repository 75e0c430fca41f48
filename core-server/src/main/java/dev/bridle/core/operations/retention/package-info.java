/** Retention of events, and the deletion of tenants. */
package dev.bridle.core.operations.retention;
