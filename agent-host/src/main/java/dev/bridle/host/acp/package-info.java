/**
 * The client's side of the Agent Client Protocol, version 1: what a host asks of a coding agent,
 * and what it answers. Members and variants that are not named here are kept as they were spelled.
 */
package dev.bridle.host.acp;
