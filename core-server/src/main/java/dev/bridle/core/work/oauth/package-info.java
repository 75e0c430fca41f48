/** OAuth 2.0: clients, the tokens that they get, and how a token is known again. */
package dev.bridle.core.work.oauth;
