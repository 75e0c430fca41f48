/**
 * The protocol's errors: the table of codes, the envelope, and the mapping of the core's failures.
 */
package dev.bridle.gateway.error;
