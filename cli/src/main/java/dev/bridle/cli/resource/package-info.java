/**
 * Commands that manage the resources of a server, such as sessions, webhooks and vaults. They
 * follow from the services of the contract; overrides say what is special about a resource.
 */
package dev.bridle.cli.resource;
