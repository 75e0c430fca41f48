/** Sessions. */
package dev.bridle.core.session;
