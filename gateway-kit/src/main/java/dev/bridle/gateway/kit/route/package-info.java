/** From a request's method and path to its route. */
package dev.bridle.gateway.kit.route;
