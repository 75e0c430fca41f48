/** Deliveries of other providers, whose bodies and headers are passed to the core unchanged. */
package dev.bridle.gateway.ingress;
