/** Tests of the gateway, over real sockets before a fake core. */
package dev.bridle.gateway;
