/**
 * The REST and SSE face of Bridle: a transcoder that reads everything it knows from the gRPC
 * descriptors.
 */
package dev.bridle.gateway;
