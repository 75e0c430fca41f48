/** The versions of this server and of the protocol. */
package dev.bridle.core.kernel.version;
