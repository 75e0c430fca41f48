/** Responses that browsers receive as an HTML page. */
package dev.bridle.gateway.page;
