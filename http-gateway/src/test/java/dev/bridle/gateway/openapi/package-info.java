/** Tests of the OpenAPI document. */
package dev.bridle.gateway.openapi;
