/** The protocol's errors: the table of codes, the envelope, and what the core's failures mean. */
package dev.bridle.gateway.error;
