/** A small client of the public REST and SSE interface. */
package dev.bridle.cli.rest;
