/** Channels of parties as WebSockets: envelopes both ways. */
package dev.bridle.harpgateway.socket;
