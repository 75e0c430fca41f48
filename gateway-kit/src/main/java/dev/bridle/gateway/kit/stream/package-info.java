/** Response streams with back-pressure: of the core, and to a client. */
package dev.bridle.gateway.kit.stream;
