/** What an enforcer says of an agent's session. */
package dev.bridle.harp.session;
