/** WebSockets: frames, complete messages one at a time, close statuses and origins. */
package dev.bridle.gateway.kit.socket;
