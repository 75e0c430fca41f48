/** The demonstration: the main job over the public interface, through a kill of the server. */
package dev.bridle.cli.demo;
