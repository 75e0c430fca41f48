/** The routes of the public interface, read from the services' HTTP options. */
package dev.bridle.gateway.route;
