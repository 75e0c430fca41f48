/** Answers that browsers get as a page. */
package dev.bridle.gateway.page;
