/** The gateway's own envelopes, failures among them, and the heads of others. */
package dev.bridle.harpgateway.envelope;
