/** A tenant's configuration, used again by one command after the other while it stands. */
package dev.bridle.core.kernel.configuration;
