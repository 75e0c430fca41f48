/** Lists and streams of events, for clients. */
package dev.bridle.core.api.event;
