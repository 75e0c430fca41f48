/**
 * Answers and requests that are streams: server-sent events, downloads and uploads, with
 * back-pressure.
 */
package dev.bridle.gateway.stream;
