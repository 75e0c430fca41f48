/** Who calls: API keys, credentials and the scopes that methods ask for. */
package dev.bridle.core.kernel.auth;
