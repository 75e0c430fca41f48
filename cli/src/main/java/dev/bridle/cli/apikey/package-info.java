/** Commands that make, list and revoke API keys. */
package dev.bridle.cli.apikey;
