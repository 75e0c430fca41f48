/** A small client of the public REST and SSE interface, for the commands that need nothing else. */
package dev.bridle.cli.rest;
