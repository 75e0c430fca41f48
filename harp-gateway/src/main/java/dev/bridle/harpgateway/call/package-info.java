/** Requests of HARP's HTTP binding, and how each becomes a call of the core. */
package dev.bridle.harpgateway.call;
