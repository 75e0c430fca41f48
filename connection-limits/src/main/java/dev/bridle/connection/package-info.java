/** Bounds of the connections that a listener accepts, in all and by address. */
package dev.bridle.connection;
