/**
 * The errors of gateways: the table of codes, their format, and the mapping of the core's failures.
 */
package dev.bridle.gateway.kit.error;
