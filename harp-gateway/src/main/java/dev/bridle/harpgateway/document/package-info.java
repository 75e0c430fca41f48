/** The documents of presence and pairing, which are no envelopes. */
package dev.bridle.harpgateway.document;
