/** Artifacts, decisions and the envelopes of HARP's core. */
package dev.bridle.harp.core;
