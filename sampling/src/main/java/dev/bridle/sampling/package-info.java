/** Which part of the long test runs a build plays. */
package dev.bridle.sampling;
