/** The server of a gateway, with the limits that every connection has. */
package dev.bridle.gateway.kit.listener;
