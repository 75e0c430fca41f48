/** Webhooks: deliver events of a workspace to other systems. */
package dev.bridle.core.integrations.webhook;
