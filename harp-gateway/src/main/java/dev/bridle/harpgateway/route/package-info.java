/** The endpoints of the gateway, by subject. */
package dev.bridle.harpgateway.route;
