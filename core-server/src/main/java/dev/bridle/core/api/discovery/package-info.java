/** Who this server is and what it serves. */
package dev.bridle.core.api.discovery;
