/** What is kept, what drops, and what stays of a tenant that is deleted. */
package dev.bridle.core.operations.retention;
