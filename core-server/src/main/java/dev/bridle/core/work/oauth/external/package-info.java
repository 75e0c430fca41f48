/** Tokens of other issuers, verified with the keys that those publish. */
package dev.bridle.core.work.oauth.external;
