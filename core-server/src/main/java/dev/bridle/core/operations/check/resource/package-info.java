/**
 * Checks of the other records: indexes, credentials, connectors, webhooks, blobs and due entries.
 */
package dev.bridle.core.operations.check.resource;
