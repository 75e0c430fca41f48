/** What a delivery says, and the texts that are made of it. */
package dev.bridle.core.integrations.connector.mapping;
