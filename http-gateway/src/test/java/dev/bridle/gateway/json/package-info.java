/** Tests of the JSON codec. */
package dev.bridle.gateway.json;
