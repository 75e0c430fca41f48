/** The JSON face of protobuf messages: plans made once from descriptors, a reader and a writer. */
package dev.bridle.gateway.json;
