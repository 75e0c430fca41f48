/** The OAuth token endpoint: a form in, OAuth's own JSON out, errors too (RFC 6749). */
package dev.bridle.gateway.token;
