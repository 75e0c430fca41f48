/** Sessions. */
package dev.bridle.core.work.session;
