/** Webhooks: what happens in a workspace is told to people and systems outside. */
package dev.bridle.core.integrations.webhook;
