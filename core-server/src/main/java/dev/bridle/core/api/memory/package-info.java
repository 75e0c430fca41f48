/** The service of memories. */
package dev.bridle.core.api.memory;
