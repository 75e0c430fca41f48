/** The content of deliveries, and the templates that map it to texts. */
package dev.bridle.core.integrations.connector.mapping;
