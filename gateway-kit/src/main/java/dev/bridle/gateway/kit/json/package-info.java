/** Parsed JSON texts whose values can be read repeatedly and copied byte for byte. */
package dev.bridle.gateway.kit.json;
