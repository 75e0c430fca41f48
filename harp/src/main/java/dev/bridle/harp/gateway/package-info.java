/** Envelopes and bodies of the gateway, which passes on what it can't read. */
package dev.bridle.harp.gateway;
