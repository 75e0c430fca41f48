/** The layers over the key-value contract, and the one place that knows the key layout. */
package dev.bridle.storage.layer;
