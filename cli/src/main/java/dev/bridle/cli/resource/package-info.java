/** Commands that manage the resources of a server, such as sessions, webhooks and vaults. */
package dev.bridle.cli.resource;
