/** Deliveries of other providers: their bodies and headers go to the core as they came. */
package dev.bridle.gateway.ingress;
