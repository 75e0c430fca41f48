/** The REST and SSE interface of Bridle: a transcoder driven by the gRPC descriptors. */
package dev.bridle.gateway;
