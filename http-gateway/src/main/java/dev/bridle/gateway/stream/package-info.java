/**
 * Streaming requests and responses: server-sent events, downloads and uploads, with back-pressure.
 */
package dev.bridle.gateway.stream;
