/**
 * What HARP's prompt and session layers share: documents with or without an envelope, and errors.
 */
package dev.bridle.core.integrations.layer;
