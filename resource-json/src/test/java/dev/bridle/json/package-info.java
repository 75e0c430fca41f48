/** Tests of the shared JSON writer. */
package dev.bridle.json;
