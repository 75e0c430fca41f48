/** Connectors. */
package dev.bridle.core.connector;
