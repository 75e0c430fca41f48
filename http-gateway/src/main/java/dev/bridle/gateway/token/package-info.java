/** The OAuth token endpoint: form requests, JSON responses and errors of RFC 6749. */
package dev.bridle.gateway.token;
