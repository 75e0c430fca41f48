/** Creates the OpenAPI 3.1 document from the descriptors and their comments. */
package dev.bridle.gateway.openapi;
