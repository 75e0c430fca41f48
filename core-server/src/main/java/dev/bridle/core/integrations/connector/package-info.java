/** Connectors, the deliveries that come in at them, and what these become. */
package dev.bridle.core.integrations.connector;
