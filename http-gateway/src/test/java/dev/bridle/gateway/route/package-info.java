/** Tests of routes and paths. */
package dev.bridle.gateway.route;
