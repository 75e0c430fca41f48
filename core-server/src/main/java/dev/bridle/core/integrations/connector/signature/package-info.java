/** Signatures of deliveries by webhook. */
package dev.bridle.core.integrations.connector.signature;
