/** Connectors and their deliveries, which are mapped to tasks and messages. */
package dev.bridle.core.integrations.connector;
