/** The protocol's JSON: how each message type is spelled, and the writer of messages. */
package dev.bridle.json;
