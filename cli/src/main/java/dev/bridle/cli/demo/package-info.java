/** The demonstration: the main use case over the public interface, across a kill of the server. */
package dev.bridle.cli.demo;
