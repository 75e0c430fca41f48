/** A store that counts what is done to it. */
package dev.bridle.storage.kit.count;
