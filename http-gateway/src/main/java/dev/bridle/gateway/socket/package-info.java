/**
 * WebSockets: the upgrade, the frames, and the conversation in which events go out and commands
 * come in. What a command means is its REST operation's to say.
 */
package dev.bridle.gateway.socket;
