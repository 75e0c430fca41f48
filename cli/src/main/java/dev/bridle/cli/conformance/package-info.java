/** {@code bridle conformance}: tests any server for protocol conformance. */
package dev.bridle.cli.conformance;
