/**
 * JSON-RPC 2.0 between two programs that share a pair of byte streams: one message a line, requests
 * in both directions, everything bounded.
 */
package dev.bridle.host.rpc;
