/** Reads JSON into protobuf messages, by the plans of {@link dev.bridle.json}. */
package dev.bridle.gateway.json;
