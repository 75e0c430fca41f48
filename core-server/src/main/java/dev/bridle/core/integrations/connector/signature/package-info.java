/** How deliveries by webhook prove where they come from. */
package dev.bridle.core.integrations.connector.signature;
