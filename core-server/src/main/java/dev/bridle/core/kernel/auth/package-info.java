/** Authentication: callers, API keys, credentials and the scopes that methods require. */
package dev.bridle.core.kernel.auth;
