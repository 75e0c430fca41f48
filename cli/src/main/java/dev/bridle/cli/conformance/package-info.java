/** {@code bridle conformance}: holds any server against the protocol. */
package dev.bridle.cli.conformance;
