/**
 * JSON encoding of protobuf messages: plans created once from descriptors, a reader and a writer.
 */
package dev.bridle.gateway.json;
