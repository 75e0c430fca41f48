/** Maps one HTTP request to one gRPC call: header checks, binding and response. */
package dev.bridle.gateway.call;
