/** How failures are told in HARP. */
package dev.bridle.harpgateway.error;
