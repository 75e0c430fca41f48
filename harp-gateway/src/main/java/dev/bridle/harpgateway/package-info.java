/** The HARP gateway: HTTP in front of the core's relay. */
package dev.bridle.harpgateway;
