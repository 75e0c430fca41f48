/** How long a tenant's events are kept, and how a tenant ends. */
package dev.bridle.core.operations.retention;
