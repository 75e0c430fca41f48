/** Commands that create, list and revoke API keys. */
package dev.bridle.cli.apikey;
