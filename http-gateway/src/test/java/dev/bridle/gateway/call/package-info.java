/** Tests of header checks and binding. */
package dev.bridle.gateway.call;
