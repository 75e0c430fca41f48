/** Relays elsewhere that the server's operator has configured, over HARP's HTTP binding. */
package dev.bridle.core.integrations.enforcer.remote;
