/** Channels of parties as server-sent events. */
package dev.bridle.harpgateway.stream;
