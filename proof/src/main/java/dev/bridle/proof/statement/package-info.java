/** What an issuer signs beside receipts: how far a chain reaches, and where an export ends. */
package dev.bridle.proof.statement;
