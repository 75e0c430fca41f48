/**
 * WebSockets: the upgrade, the frames, and the exchange of events and commands. A command runs its
 * REST operation.
 */
package dev.bridle.gateway.socket;
