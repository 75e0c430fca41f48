/** Wiring: the services, their interceptors, and the gRPC servers that carry them. */
package dev.bridle.core.server;
