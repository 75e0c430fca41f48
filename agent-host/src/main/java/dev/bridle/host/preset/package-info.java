/** What is known about the agents of others: how each is made to ask before it acts. */
package dev.bridle.host.preset;
