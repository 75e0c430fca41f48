/** JSON documents of HARP: strictly read, canonical, checked against their schemas. */
package dev.bridle.harp.document;
