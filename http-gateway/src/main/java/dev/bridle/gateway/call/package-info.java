/**
 * Turns one HTTP request into one gRPC call: the gates that it passes, its binding and its answer.
 */
package dev.bridle.gateway.call;
