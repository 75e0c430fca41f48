/** One HTTP request to one gRPC call: checks of headers, bounded bodies, the core's answers. */
package dev.bridle.gateway.kit.call;
