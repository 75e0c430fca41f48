/** The routes of the public face, read from the services' HTTP options. */
package dev.bridle.gateway.route;
